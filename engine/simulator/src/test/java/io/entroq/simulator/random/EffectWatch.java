package io.entroq.simulator.random;

import io.entroq.codec.effect.EffectKinds;
import io.entroq.engine.doc.DocView;
import io.entroq.engine.effect.EffectSink;
import io.entroq.engine.task.Bytes;
import io.entroq.engine.task.TaskView;
import io.entroq.simulator.check.Invariant;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;

/** Knows by effects alone which tasks there are, and in which queues. */
final class EffectWatch implements EffectSink {
  private record Known(long insertSequence, String queue) {}

  private final Map<List<Long>, Known> tasks = new HashMap<>();
  private long lastStep;
  private boolean isStepUnderWay;
  private int nextIndex;

  @Override
  public void onStep(
      long sequence,
      long logTimeMs,
      long byHigh,
      long byLow,
      DirectBuffer byText,
      int offset,
      int length) {
    require("the next step", lastStep + 1, sequence);
    require("that a step is under way", false, isStepUnderWay);
    lastStep = sequence;
    isStepUnderWay = true;
    nextIndex = 0;
  }

  @Override
  public void onStepEnd(long sequence) {
    position(sequence, nextIndex);
    isStepUnderWay = false;
  }

  private void position(long sequence, int index) {
    require("that a step is under way", true, isStepUnderWay);
    require("the step", lastStep, sequence);
    require("the index in step " + sequence, nextIndex, index);
    nextIndex++;
  }

  @Override
  public void onTask(
      long sequence,
      int index,
      int kind,
      int flags,
      TaskViewer viewer,
      int slot,
      Bytes formerQueue) {
    TaskView task = viewer.view(slot);
    position(sequence, index);
    List<Long> id = List.of(task.idHigh(), task.idLow());
    String queue = text(task.queueBuffer(), task.queueOffset(), task.queueLength());
    boolean moves = kind == EffectKinds.MOVED || kind == EffectKinds.DIED;
    String former =
        moves
            ? text(formerQueue.buffer(), formerQueue.offset(), formerQueue.length())
            : kind == EffectKinds.INSERTED ? "" : queue;
    Known expected = former.isEmpty() ? null : new Known(task.insertSequence(), former);
    require("task " + id + ", of which kind " + kind + " is told,", expected, tasks.get(id));
    if (isEnd(kind)) {
      tasks.remove(id);
    } else {
      tasks.put(id, new Known(task.insertSequence(), queue));
    }
  }

  private static boolean isEnd(int kind) {
    return kind == EffectKinds.DELETED
        || kind == EffectKinds.EXPIRED
        || kind == EffectKinds.DROPPED;
  }

  @Override
  public void onDoc(long sequence, int index, int kind, int flags, DocView doc) {
    position(sequence, index);
  }

  @Override
  public void onPolicy(
      long sequence,
      int index,
      int kind,
      int flags,
      Bytes policy,
      int version,
      long pausedUntilMs) {
    position(sequence, index);
  }

  @Override
  public void onQueue(long sequence, int index, int kind, int flags, Bytes name, long untilMs) {
    position(sequence, index);
  }

  /** Compares what it knows behind a step with the state. */
  void check(long sequence, long taskCount) {
    require("the step told last", sequence, lastStep);
    require("that a step is under way", false, isStepUnderWay);
    require("the number of tasks", taskCount, (long) tasks.size());
  }

  private static String text(DirectBuffer buffer, int offset, int length) {
    byte[] bytes = new byte[length];
    buffer.getBytes(offset, bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static void require(String what, Object expected, Object actual) {
    if (expected == null ? actual != null : !expected.equals(actual)) {
      throw Invariant.FEED_IS_HISTORY.broken(
          what, String.valueOf(expected), String.valueOf(actual));
    }
  }
}
