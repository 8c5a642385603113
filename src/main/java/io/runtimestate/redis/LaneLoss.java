package io.runtimestate.redis;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import javax.net.ssl.SSLException;

/**
 * Turns a reset into a plain close, and so a TLS alert. The client would log them as unhandled
 * errors, count the connection twice and tell one handler or the other, depending on its version; a
 * close has one path.
 */
final class LaneLoss extends ChannelInboundHandlerAdapter {
  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) throws Exception {
    if (cause instanceof IOException || cause.getCause() instanceof SSLException) {
      ctx.close();
    } else {
      super.exceptionCaught(ctx, cause);
    }
  }
}
