<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.2" tiledversion="1.2.5" name="tiles" tilewidth="16" tileheight="16" tilecount="12" columns="4">
 <image source="tiles.png" width="64" height="48"/>
 <wangsets>
  <wangset name="Paths" tile="-1">
   <wangcornercolor name="sand" color="#ff0000" tile="-1" probability="1"/>
   <wangedgecolor name="road" color="#00ff00" tile="-1" probability="1"/>
   <wangtile tileid="0" wangid="0x11111111"/>
   <wangtile tileid="1" wangid="0x10101010"/>
  </wangset>
 </wangsets>
</tileset>
