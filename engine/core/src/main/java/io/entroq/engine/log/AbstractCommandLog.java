package io.entroq.engine.log;

/** A log that reports its progress through a {@link LogProgress}. */
public abstract class AbstractCommandLog implements CommandLog {
  protected final LogProgress progress;

  protected AbstractCommandLog(LogProgress progress) {
    this.progress = progress;
  }

  @Override
  public final long appendedSequence() {
    return progress.appendedSequence();
  }

  @Override
  public final long appendedBytes() {
    return progress.appendedBytes();
  }

  @Override
  public final long forcedSequence() {
    return progress.forcedSequence();
  }

  @Override
  public final long forcedBytes() {
    return progress.forcedBytes();
  }

  @Override
  public void close() {
    progress.fail(LogException.error("closed"));
  }
}
