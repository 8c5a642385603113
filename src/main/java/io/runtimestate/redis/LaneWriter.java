package io.runtimestate.redis;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import java.util.function.Consumer;

/**
 * Writes to the socket once per turn of the event loop instead of once per command.
 *
 * <p>The first command of a turn goes out at once, so that a lone one waits for nobody; later ones
 * are copied one behind the other and go out together, at the end of the turn or when a piece is
 * full. What the handlers of replies send is gathered until all replies of a turn have been read.
 * Everything a write costs in Vert.x, in Netty and in the system is paid once for many commands.
 *
 * <p>Confined to the event loop of its channel.
 */
final class LaneWriter extends ChannelDuplexHandler implements Runnable {
  private static final int PIECE_BYTES = 16 << 10;
  private static final int MOST_TO_COPY = PIECE_BYTES / 4;

  private final Consumer<ByteBuf> out;
  private ChannelHandlerContext context;
  private ByteBuf gathered;
  private boolean reading;
  private boolean armed;

  /**
   * @param out writes to the socket; the buffer is its own then
   */
  LaneWriter(Consumer<ByteBuf> out) {
    this.out = out;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
  }

  /** Sends a command, which is on the heap, sooner or later in this turn. */
  void write(ByteBuf command) {
    if (reading || armed) {
      gather(command);
    } else {
      arm();
      out.accept(command);
    }
  }

  private void gather(ByteBuf command) {
    int size = command.readableBytes();
    if (gathered != null && gathered.writableBytes() < size) {
      sendGathered();
    }
    if (size > MOST_TO_COPY) {
      sendGathered();
      out.accept(command);
    } else {
      gathered = gathered == null ? context.alloc().ioBuffer(PIECE_BYTES, PIECE_BYTES) : gathered;
      gathered.writeBytes(command.array(), command.arrayOffset() + command.readerIndex(), size);
    }
  }

  /** Sends what has been gathered so far; true if there was any. */
  boolean sendGathered() {
    ByteBuf piece = takeGathered();
    if (piece != null) {
      out.accept(piece);
    }
    return piece != null;
  }

  private ByteBuf takeGathered() {
    ByteBuf piece = gathered;
    gathered = null;
    return piece;
  }

  private void arm() {
    armed = true;
    context.channel().eventLoop().execute(this);
  }

  /** The end of a turn. */
  @Override
  public void run() {
    armed = false;
    if (sendGathered()) {
      arm();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    reading = true;
    ctx.fireChannelRead(message);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    sendGathered(); // Vert.x flushes now
    ctx.fireChannelReadComplete();
    reading = false;
    sendGathered();
  }

  /** Vert.x takes no more writes by now. */
  @Override
  public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
    ByteBuf piece = takeGathered();
    if (piece != null) {
      ctx.writeAndFlush(piece);
    }
    ctx.close(promise);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    ByteBuf piece = takeGathered();
    if (piece != null) {
      piece.release();
    }
  }
}
