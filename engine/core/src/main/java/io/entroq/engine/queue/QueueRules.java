package io.entroq.engine.queue;

/**
 * What queues with a policy or a pause have to obey. Queues without are {@link QueueStore#isPlain}
 * and never get here, except once after each write of a policy, by {@link #touch}.
 */
public interface QueueRules {

  /** No queue has rules. */
  QueueRules NONE = new NoRules();

  /**
   * Looks up what applies to a queue, if policies were written since it did, and stores it. Call
   * when its tasks or parked claims are about to change, never while a command is only checked.
   */
  void touch(int queue);

  /**
   * Whether a claim that names the queue gets a task now. Changes nothing while a command is only
   * checked.
   */
  boolean isAvailable(int queue, long nowMs);

  /** The queue of which such a claim gets a task, if that is available: itself, or one below it. */
  int choose(int queue);

  /** Counts a start, of a task that was chosen. */
  void started(int queue, long nowMs);

  /** Counts a task that is in flight now, or not any more if {@code by} is negative. */
  void countInFlight(int queue, int by);

  /** Follows a change of the queue's waiting tasks, its parked claims or its place. */
  void update(int queue);

  /** When the queue may be looked at for its parked claims; of one that is watched. */
  long watchMs(int queue);

  /** Whether a queue stays although it has neither tasks nor parked claims. */
  boolean keeps(int queue);

  /** Sees to it that a queue that stays only for a time is removed then. */
  void idles(int queue);

  /** Forgets what a queue has, which is about to be removed. */
  void drop(int queue);

  /** For states below behavior level 8, and until the stores are complete. */
  final class NoRules implements QueueRules {
    private NoRules() {}

    @Override
    public void touch(int queue) {}

    @Override
    public boolean isAvailable(int queue, long nowMs) {
      return false;
    }

    @Override
    public int choose(int queue) {
      return queue;
    }

    @Override
    public void started(int queue, long nowMs) {}

    @Override
    public void countInFlight(int queue, int by) {}

    @Override
    public void update(int queue) {}

    @Override
    public long watchMs(int queue) {
      return Long.MAX_VALUE;
    }

    @Override
    public boolean keeps(int queue) {
      return false;
    }

    @Override
    public void idles(int queue) {}

    @Override
    public void drop(int queue) {}
  }
}
