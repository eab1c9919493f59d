package io.entroq.engine.effect;

import io.entroq.engine.doc.DocView;
import io.entroq.engine.memory.Mix;
import io.entroq.engine.task.Bytes;
import io.entroq.engine.task.TaskView;
import org.agrona.DirectBuffer;

/**
 * A hash chain over effects. It tells two orders of effects apart that lead to the same state:
 * golden files hold it. Flags, former queues and who asked are not in it.
 */
public final class EffectDigest implements EffectSink {
  // The numbers of attributes in the digest.
  private static final int IN_FLIGHT = 1;
  private static final int LAPSES = 2;
  private static final int EXPIRES = 3;
  private static final int TRACE = 4;
  private static final int ORIGIN = 5;
  private static final int REASON = 6;
  private static final int DEAD_AT = 7;

  private long digest;

  /** The digest of all effects so far; 0 before the first. */
  public long value() {
    return digest;
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
    position(sequence, index, kind);
    fold(task.idHigh(), task.idLow());
    fold(task.insertSequence(), task.version());
    fold(
        hash(task.queueBuffer(), task.queueOffset(), task.queueLength()),
        hash(task.valueBuffer(), task.valueOffset(), task.valueLength()));
    fold(task.claimantHigh(), task.claimantLow());
    fold(task.arrivalMs(), task.modifiedMs());
    fold(task.claims(), task.attempt());
    fold(hash(task.errBuffer(), task.errOffset(), task.errLength()), task.valueKind());
    attributes(task);
  }

  /** Only where they are set, so that digests of tasks without them are those of every level. */
  private void attributes(TaskView task) {
    if (task.isInFlight()) {
      attribute(IN_FLIGHT, 1);
    }
    attribute(LAPSES, task.lapses());
    attribute(EXPIRES, task.expiresMs());
    attribute(TRACE, hash(task.traceBuffer(), task.traceOffset(), task.traceLength()));
    attribute(ORIGIN, hash(task.originBuffer(), task.originOffset(), task.originLength()));
    attribute(REASON, task.reason());
    attribute(DEAD_AT, task.deadAtMs());
  }

  private void attribute(int number, long value) {
    if (value != 0) {
      fold(number, value);
    }
  }

  @Override
  public void onDoc(long sequence, int index, int kind, int flags, DocView doc) {
    position(sequence, index, kind);
    fold(doc.idHigh(), doc.idLow());
    fold(
        hash(doc.namespaceBuffer(), doc.namespaceOffset(), doc.namespaceLength()),
        hash(doc.keyBuffer(), doc.keyOffset(), doc.keyLength()));
    fold(
        hash(doc.secondaryKeyBuffer(), doc.secondaryKeyOffset(), doc.secondaryKeyLength()),
        hash(doc.valueBuffer(), doc.valueOffset(), doc.valueLength()));
    fold(doc.claimantHigh(), doc.claimantLow());
    fold(doc.arrivalMs(), doc.modifiedMs());
    fold(doc.version(), doc.docCount());
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
    position(sequence, index, kind);
    fold(hash(policy), version);
    fold(pausedUntilMs, 0);
  }

  @Override
  public void onQueue(long sequence, int index, int kind, int flags, Bytes name, long untilMs) {
    position(sequence, index, kind);
    fold(hash(name), untilMs);
  }

  private void position(long sequence, int index, int kind) {
    fold(sequence, (long) index << Integer.SIZE | kind);
  }

  private void fold(long first, long second) {
    digest = Mix.fold(digest, Mix.share(0, first) + Mix.share(1, second));
  }

  private static long hash(Bytes bytes) {
    return hash(bytes.buffer(), bytes.offset(), bytes.length());
  }

  private static long hash(DirectBuffer buffer, int offset, int length) {
    return length == 0 ? 0 : Mix.bytes(buffer, offset, length);
  }
}
