package io.entroq.cluster.mirror;

import io.entroq.cluster.image.PendingImage;
import io.entroq.engine.log.CommandLog;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.VolatileLog;
import io.entroq.engine.state.StateMachine;

/** Writes no mirror. */
enum NoMirror implements Mirror {
  INSTANCE;

  @Override
  public CommandLog begin(StateMachine machine) {
    return new VolatileLog(LogConfig.defaults(), machine.sequence());
  }

  @Override
  public int doWork() {
    return 0;
  }

  @Override
  public void yieldState() {}

  @Override
  public void onSnapshot(PendingImage image) {}

  @Override
  public void end(boolean isSound) {}

  @Override
  public long foundLogTimeMs() {
    return 0;
  }

  @Override
  public MirrorStats stats() {
    return MirrorStats.NONE;
  }

  @Override
  public void close() {}
}
