package io.entroq.simulator.client;

import io.entroq.codec.message.ValueKinds;
import io.entroq.simulator.client.knowledge.KnownTask;
import io.entroq.simulator.client.knowledge.TaskIds;
import io.entroq.simulator.client.knowledge.Values;
import io.entroq.simulator.virtual.SeededRandom;

/** Draws what tasks hold. */
final class TaskContents {
  private static final int ATTEMPTS_MAX = 200;

  private final ClientContext commons;

  TaskContents(ClientContext commons) {
    this.commons = commons;
  }

  /** A task to be inserted at once into a queue, with an id that none has had. */
  KnownTask fresh(SeededRandom chance, Caller caller, int queue) {
    KnownTask task = new KnownTask();
    commons.ids.fresh(task, !caller.isIdentified(), !caller.isV0());
    return fill(chance, task, queue, 0);
  }

  /** The same with an id whose text its key does not give back. */
  KnownTask freshWithText(SeededRandom chance, Caller caller, int queue) {
    KnownTask task = fresh(chance, caller, queue);
    TaskIds.giveText(task);
    return task;
  }

  /** The same with an id that others have had; only for callers with identity. */
  KnownTask reused(SeededRandom chance, int queue) {
    KnownTask task = new KnownTask();
    commons.ids.reused(task);
    return fill(chance, task, queue, Values.HEADER_BYTES);
  }

  /** The same with an id that is to be used once more; only for callers with identity. */
  KnownTask twin(SeededRandom chance, int queue) {
    KnownTask task = new KnownTask();
    commons.ids.freshForTwins(task);
    return fill(chance, task, queue, Values.HEADER_BYTES);
  }

  /** Another task with the id of one that is gone. */
  KnownTask twinOf(SeededRandom chance, KnownTask gone) {
    KnownTask task = new KnownTask();
    commons.ids.again(task, gone);
    return fill(chance, task, gone.queue, Values.HEADER_BYTES);
  }

  private KnownTask fill(SeededRandom chance, KnownTask task, int queue, int bytesMin) {
    task.queue = queue;
    task.write = commons.nextWrite();
    drawValue(chance, task, bytesMin);
    return task;
  }

  /** Has a task that is to be inserted arrive at a time. */
  static KnownTask arriving(KnownTask task, long arrivalMs) {
    task.arrivalMs = arrivalMs;
    task.writtenArrivalMs = arrivalMs;
    return task;
  }

  /** Has a task that is to be inserted kill whoever takes it. */
  static void poison(KnownTask task) {
    task.marks |= KnownTask.POISON;
    task.valueKind = ValueKinds.BYTES;
    task.valueLength = Math.max(task.valueLength, Values.HEADER_BYTES);
  }

  private static void drawValue(SeededRandom chance, KnownTask task, int bytesMin) {
    int which = chance.below(1_000);
    if (bytesMin == 0 && which < 30) {
      task.valueKind = ValueKinds.ABSENT;
    } else if (bytesMin == 0 && which < 50) {
      task.valueKind = ValueKinds.JSON;
      task.valueLength = Values.NULL_BYTES;
    } else {
      task.valueKind = ValueKinds.BYTES;
      task.valueLength = Math.max(bytesMin, drawBytes(chance, which));
    }
  }

  private static int drawBytes(SeededRandom chance, int which) {
    if (which < 100) {
      return chance.below(Values.HEADER_BYTES);
    }
    if (which < 960) {
      return Values.HEADER_BYTES + chance.below(160);
    }
    if (which < 995) {
      return 200 + chance.below(3_900);
    }
    return which < 999 ? 4_000 + chance.below(12_400) : chance.below(Values.VALUE_BYTES_MAX + 1);
  }

  /** What a task becomes that is written anew: another queue, arrival time and error. */
  KnownTask rewritten(KnownTask task, int queue, long arrivalMs, int attempt, int errLength) {
    KnownTask content = new KnownTask().copyContent(task);
    content.copyId(task);
    content.queue = queue;
    content.attempt = Math.min(attempt, ATTEMPTS_MAX);
    content.errLength = errLength;
    content.write = commons.nextWrite();
    content.writtenVersion = task.version + 1;
    return arriving(content, arrivalMs);
  }
}
