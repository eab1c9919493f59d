package io.entroq.api.feed;

import io.entroq.api.EntroQException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;

/** A feed that a test shows. Has one cursor. */
final class ScriptedSource implements FeedSource, FeedCursor {
  private final Queue<Effect> shown = new ArrayDeque<>();
  private Runnable waiting;
  private EntroQException failure;
  private EntroQException refusal;
  private boolean isComplete;
  private boolean isClosed;
  private int taken;

  static Effect effect(long sequence) {
    return new Effect(
        EffectKind.UNKNOWN,
        Optional.of(FeedPosition.after(sequence)),
        Instant.ofEpochMilli(sequence),
        Optional.empty(),
        0,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        "",
        false,
        false);
  }

  @Override
  public FeedRange feedRange() {
    return new FeedRange(1, 0);
  }

  void show(long... sequences) {
    synchronized (this) {
      for (long sequence : sequences) {
        shown.add(effect(sequence));
      }
    }
    tell();
  }

  void complete() {
    synchronized (this) {
      isComplete = true;
    }
    tell();
  }

  void fail(EntroQException why) {
    synchronized (this) {
      failure = why;
    }
    tell();
  }

  private void tell() {
    Runnable told;
    synchronized (this) {
      told = waiting;
      waiting = null;
    }
    if (told != null) {
      told.run();
    }
  }

  /** How many effects were taken. */
  synchronized int taken() {
    return taken;
  }

  synchronized boolean isClosed() {
    return isClosed;
  }

  synchronized boolean isAwaited() {
    return waiting != null;
  }

  @Override
  public FeedCursor openFeed(FeedQuery query) {
    if (refusal != null) {
      throw refusal;
    }
    return this;
  }

  /** Opens no cursor. */
  void refuse(EntroQException why) {
    refusal = why;
  }

  @Override
  public synchronized Optional<Effect> poll() {
    if (shown.isEmpty() && failure != null) {
      throw failure;
    }
    Optional<Effect> next = isClosed ? Optional.empty() : Optional.ofNullable(shown.poll());
    taken += next.isPresent() ? 1 : 0;
    return next;
  }

  @Override
  public synchronized boolean await(Runnable onAvailable) {
    if (!shown.isEmpty() || failure != null || isEnded()) {
      return false;
    }
    waiting = onAvailable;
    return true;
  }

  @Override
  public synchronized boolean isEnded() {
    return isClosed || isComplete && shown.isEmpty();
  }

  @Override
  public Optional<FeedPosition> position() {
    return Optional.empty();
  }

  @Override
  public Optional<EntroQException> problem() {
    return Optional.empty();
  }

  @Override
  public synchronized void close() {
    isClosed = true;
  }
}
