package io.runtimestate.redis;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;

/**
 * Turns a reset into a plain close. The client would log a reset as an unhandled error, count the
 * connection twice and tell one handler or the other, depending on its version; a close has one
 * path.
 */
final class LaneLoss extends ChannelInboundHandlerAdapter {
  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) throws Exception {
    if (cause instanceof IOException) {
      ctx.close();
    } else {
      super.exceptionCaught(ctx, cause);
    }
  }
}
