package io.entroq.simulator.client;

import io.entroq.codec.message.ValueKinds;
import io.entroq.simulator.virtual.Chance;

/** Draws what tasks hold. */
final class Contents {
  private static final int ATTEMPTS_MAX = 200;

  private final Commons commons;

  Contents(Commons commons) {
    this.commons = commons;
  }

  /** A task to be inserted at once into a queue, with an id that none has had. */
  Known fresh(Chance chance, Caller caller, int queue) {
    Known task = new Known();
    commons.ids.fresh(task, !caller.isIdentified(), !caller.isV0());
    return fill(chance, task, queue, 0);
  }

  /** The same with an id whose text its key does not give back. */
  Known freshWithText(Chance chance, Caller caller, int queue) {
    Known task = fresh(chance, caller, queue);
    TaskIds.giveText(task);
    return task;
  }

  /** The same with an id that others have had; only for callers with identity. */
  Known reused(Chance chance, int queue) {
    Known task = new Known();
    commons.ids.reused(task);
    return fill(chance, task, queue, Values.HEADER_BYTES);
  }

  /** The same with an id that is to be used once more; only for callers with identity. */
  Known twin(Chance chance, int queue) {
    Known task = new Known();
    commons.ids.freshForTwins(task);
    return fill(chance, task, queue, Values.HEADER_BYTES);
  }

  /** Another task with the id of one that is gone. */
  Known twinOf(Chance chance, Known gone) {
    Known task = new Known();
    commons.ids.again(task, gone);
    return fill(chance, task, gone.queue, Values.HEADER_BYTES);
  }

  private Known fill(Chance chance, Known task, int queue, int bytesMin) {
    task.queue = queue;
    task.write = commons.nextWrite();
    drawValue(chance, task, bytesMin);
    return task;
  }

  /** Has a task that is to be inserted arrive at a time. */
  static Known arriving(Known task, long arrivalMs) {
    task.arrivalMs = arrivalMs;
    task.writtenArrivalMs = arrivalMs;
    return task;
  }

  /** Has a task that is to be inserted kill whoever takes it. */
  static void poison(Known task) {
    task.marks |= Known.POISON;
    task.valueKind = ValueKinds.BYTES;
    task.valueLength = Math.max(task.valueLength, Values.HEADER_BYTES);
  }

  private static void drawValue(Chance chance, Known task, int bytesMin) {
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

  private static int drawBytes(Chance chance, int which) {
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
  Known rewritten(Known task, int queue, long arrivalMs, int attempt, int errLength) {
    Known content = new Known().copyContent(task);
    content.copyId(task);
    content.queue = queue;
    content.attempt = Math.min(attempt, ATTEMPTS_MAX);
    content.errLength = errLength;
    content.write = commons.nextWrite();
    content.writtenVersion = task.version + 1;
    return arriving(content, arrivalMs);
  }
}
