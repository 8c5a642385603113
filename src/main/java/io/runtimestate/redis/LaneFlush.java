package io.runtimestate.redis;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;

/**
 * Writes to the socket once per turn of the event loop instead of once per command.
 *
 * <p>The first flush of a turn goes out at once, so that a lone command waits for nobody; later
 * ones of the same turn go out together at its end. While replies are being read Vert.x has merged
 * the flushes already. Nobody needs to know how many commands are in flight.
 */
final class LaneFlush extends ChannelDuplexHandler implements Runnable {
  private ChannelHandlerContext context;
  private boolean reading;
  private boolean armed;
  private boolean owed;

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    reading = true;
    ctx.fireChannelReadComplete();
    reading = false;
  }

  @Override
  public void flush(ChannelHandlerContext ctx) {
    if (reading) {
      owed = false;
      ctx.flush();
    } else if (armed) {
      owed = true;
    } else {
      arm();
      ctx.flush();
    }
  }

  @Override
  public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
    if (owed) {
      ctx.flush();
    }
    ctx.close(promise);
  }

  /** The end of a turn. */
  @Override
  public void run() {
    armed = false;
    if (owed) {
      owed = false;
      arm();
      context.flush();
    }
  }

  private void arm() {
    armed = true;
    context.channel().eventLoop().execute(this);
  }
}
