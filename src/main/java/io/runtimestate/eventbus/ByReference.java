package io.runtimestate.eventbus;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageCodec;
import io.vertx.core.eventbus.MessageProducer;

/** Passes calls inside one Vert.x instance as they are; it never writes them anywhere. */
final class ByReference implements MessageCodec<Object, Object> {
  private static final String NAME = "io.runtimestate.reference";
  private static final DeliveryOptions OPTIONS =
      new DeliveryOptions().setCodecName(NAME).setLocalOnly(true);

  private ByReference() {}

  /** Makes the codec known; it may be known already. */
  static void register(Vertx vertx) {
    try {
      vertx.eventBus().registerCodec(new ByReference());
    } catch (IllegalStateException known) {
      // There is no way to ask first, and any instance of the codec does.
    }
  }

  /** A sender whose messages stay here. */
  static MessageProducer<PassedCall<?>> sender(Vertx vertx, String address) {
    return vertx.eventBus().sender(address, OPTIONS);
  }

  @Override
  public void encodeToWire(Buffer buffer, Object body) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Object decodeFromWire(int position, Buffer buffer) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Object transform(Object body) {
    return body;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public byte systemCodecID() {
    return -1;
  }
}
