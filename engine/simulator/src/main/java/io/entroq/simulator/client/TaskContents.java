package io.entroq.simulator.client;

import io.entroq.codec.message.ValueKinds;
import io.entroq.simulator.client.knowledge.KnownTask;
import io.entroq.simulator.client.knowledge.QueueNames;
import io.entroq.simulator.client.knowledge.TaskIds;
import io.entroq.simulator.client.knowledge.Values;
import io.entroq.simulator.virtual.SeededRandom;

/** Draws the contents of tasks at random. */
final class TaskContents {
  private static final int ATTEMPTS_MAX = 200;

  private final ClientContext context;

  TaskContents(ClientContext context) {
    this.context = context;
  }

  /** A task to insert, with a new id. */
  KnownTask fresh(SeededRandom random, Caller caller, int queue) {
    KnownTask task = new KnownTask();
    context.ids.fresh(task, !caller.isIdentified(), !caller.isV0());
    return fill(random, task, queue, 0);
  }

  /** A task whose id has a text that its key does not determine. */
  KnownTask freshWithText(SeededRandom random, Caller caller, int queue) {
    KnownTask task = fresh(random, caller, queue);
    TaskIds.giveText(task);
    return task;
  }

  /**
   * A task whose value is so short that it says nothing of its queue or attempt, which servers may
   * change. Clients draw no conclusions from its id.
   */
  KnownTask brief(SeededRandom random, int queue) {
    KnownTask task = new KnownTask();
    if (QueueNames.isPooled(queue)) {
      context.ids.freshForCopies(task);
    } else {
      context.ids.fresh(task, true, true);
    }
    task.queue = queue;
    task.valueLength = random.below(Values.HEADER_BYTES);
    return task;
  }

  /** A task with an id that was used before; only for callers with identity. */
  KnownTask reused(SeededRandom random, int queue) {
    KnownTask task = new KnownTask();
    context.ids.reused(task);
    return fill(random, task, queue, Values.HEADER_BYTES);
  }

  /** A task with a new id that will be used again; only for callers with identity. */
  KnownTask twin(SeededRandom random, int queue) {
    KnownTask task = new KnownTask();
    context.ids.freshForTwins(task);
    return fill(random, task, queue, Values.HEADER_BYTES);
  }

  /** A task with the id of a deleted one. */
  KnownTask twinOf(SeededRandom random, KnownTask gone) {
    KnownTask task = new KnownTask();
    context.ids.again(task, gone);
    return fill(random, task, gone.queue, Values.HEADER_BYTES);
  }

  private KnownTask fill(SeededRandom random, KnownTask task, int queue, int bytesMin) {
    task.queue = queue;
    task.write = context.nextWrite();
    drawValue(random, task, bytesMin);
    return task;
  }

  /** Sets the arrival time of a task to insert. */
  static KnownTask arriving(KnownTask task, long arrivalMs) {
    task.arrivalMs = arrivalMs;
    task.writtenArrivalMs = arrivalMs;
    return task;
  }

  /** Sets the arrival time of a task to insert, counted from the log time of the insert. */
  static KnownTask arrivingIn(KnownTask task, long byMs) {
    task.byMs = byMs;
    task.writtenArrivalMs = 0;
    return task;
  }

  /** Makes a task to insert kill every worker that claims it. */
  static void poison(KnownTask task) {
    task.marks |= KnownTask.POISON;
    task.valueKind = ValueKinds.BYTES;
    task.valueLength = Math.max(task.valueLength, Values.HEADER_BYTES);
  }

  private static void drawValue(SeededRandom random, KnownTask task, int bytesMin) {
    int which = random.below(1_000);
    if (bytesMin == 0 && which < 30) {
      task.valueKind = ValueKinds.ABSENT;
    } else if (bytesMin == 0 && which < 50) {
      task.valueKind = ValueKinds.JSON;
      task.valueLength = Values.NULL_BYTES;
    } else {
      task.valueKind = ValueKinds.BYTES;
      task.valueLength = Math.max(bytesMin, drawBytes(random, which));
    }
  }

  private static int drawBytes(SeededRandom random, int which) {
    if (which < 100) {
      return random.below(Values.HEADER_BYTES);
    }
    if (which < 960) {
      return Values.HEADER_BYTES + random.below(160);
    }
    if (which < 995) {
      return 200 + random.below(3_900);
    }
    return which < 999 ? 4_000 + random.below(12_400) : random.below(Values.VALUE_BYTES_MAX + 1);
  }

  /** A new version of a task, with another queue, arrival time and error. */
  KnownTask rewritten(KnownTask task, int queue, long arrivalMs, int attempt, int errLength) {
    KnownTask content = new KnownTask().copyContent(task);
    content.copyId(task);
    content.queue = queue;
    content.attempt = Math.min(attempt, ATTEMPTS_MAX);
    content.errLength = errLength;
    content.write = context.nextWrite();
    content.writtenVersion = task.version + 1;
    return arriving(content, arrivalMs);
  }
}
