package io.runtimestate.bench;

/** A contender whose samples also tell what it cost the server. */
record ServerMetered(Contender contender, RedisStage stage) implements Contender {
  @Override
  public String name() {
    return contender.name();
  }

  @Override
  public Sample round(long millis) throws Exception {
    long before = stage.serverCpuNanos();
    Sample sample = contender.round(millis);
    return sample.withServer(stage.serverCpuNanos() - before);
  }
}
