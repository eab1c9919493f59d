package io.entroq.engine.effect;

import io.entroq.codec.effect.EffectFlags;
import io.entroq.codec.effect.EffectParts;
import io.entroq.codec.effect.EffectWriter;
import io.entroq.engine.doc.DocView;
import io.entroq.engine.task.Bytes;
import io.entroq.engine.task.TaskView;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Writes the effects of each step into one frame. Live readers and replays use it alike, so that
 * both see the same bytes. On the applying thread.
 */
public abstract class EffectEncoder implements EffectSink {
  private static final DirectBuffer NOBODY = new UnsafeBuffer(new byte[0]);

  private final EffectWriter writer = new EffectWriter();
  private boolean hasValues;
  private long logTimeMs;

  /**
   * A step begins: wraps the writer around the memory for its frame.
   *
   * @return whether effects have the values of tasks and docs
   */
  protected abstract boolean begin(EffectWriter into);

  /**
   * A step has ended.
   *
   * @param effects how many there were, also if they do not fit
   * @param length bytes of the frame; 0 if it does not fit
   */
  protected abstract void end(long sequence, int effects, int length);

  /** The log time of the step, in milliseconds since the epoch. */
  protected final long logTimeMs() {
    return logTimeMs;
  }

  /**
   * Writes a frame without effects in place of one that does not fit.
   *
   * @return its bytes
   */
  protected final int writePlaceholder(long sequence) {
    return writer.begin(sequence, logTimeMs, 0, 0, NOBODY, 0, 0).end();
  }

  @Override
  public final void onStep(
      long sequence,
      long stepTimeMs,
      long byHigh,
      long byLow,
      DirectBuffer byText,
      int offset,
      int length) {
    logTimeMs = stepTimeMs;
    hasValues = begin(writer);
    writer.begin(sequence, stepTimeMs, byHigh, byLow, byText, offset, length);
  }

  @Override
  public final void onStepEnd(long sequence) {
    int effects = writer.effects();
    end(sequence, effects, writer.end());
  }

  /**
   * {@inheritDoc}
   *
   * <p>In one method, so that the compiler knows which task it is in all that reads it. And in a
   * long one, as it copies none of more than 325 bytes of bytecode to its callers: copies would
   * leave less for what these call to change tasks.
   */
  @Override
  public final void onTask(
      long sequence,
      int index,
      int kind,
      int flags,
      TaskViewer viewer,
      int slot,
      Bytes formerQueue) {
    TaskView task = viewer.view(slot);
    writer
        .effect(index, kind, task.isInFlight() ? flags | EffectFlags.IN_FLIGHT : flags)
        .version(task.version())
        .count(task.claims())
        .attempt(task.attempt())
        .id(task.idHigh(), task.idLow())
        .insertSequence(task.insertSequence())
        .dueMs(task.arrivalMs())
        .createdMs(task.createdMs())
        .modifiedMs(task.modifiedMs())
        .claimant(task.claimantHigh(), task.claimantLow())
        .valueKind(task.valueKind())
        .part(EffectParts.QUEUE, task.queueBuffer(), task.queueOffset(), task.queueLength());
    if (formerQueue.length() > 0) {
      writer.part(
          EffectParts.FORMER_QUEUE,
          formerQueue.buffer(),
          formerQueue.offset(),
          formerQueue.length());
    }
    if (task.hasExtras()) {
      writer
          .lapses(task.lapses())
          .expiresMs(task.expiresMs())
          .died(task.reason(), task.deadAtMs())
          .part(EffectParts.ID_TEXT, task.idTextBuffer(), task.idTextOffset(), task.idTextLength())
          .part(
              EffectParts.CLAIMANT_TEXT,
              task.claimantTextBuffer(),
              task.claimantTextOffset(),
              task.claimantTextLength())
          .part(EffectParts.ERR, task.errBuffer(), task.errOffset(), task.errLength())
          .part(EffectParts.TRACE, task.traceBuffer(), task.traceOffset(), task.traceLength())
          .part(EffectParts.ORIGIN, task.originBuffer(), task.originOffset(), task.originLength());
    }
    if (hasValues) {
      writer.part(EffectParts.VALUE, task.valueBuffer(), task.valueOffset(), task.valueLength());
    }
  }

  @Override
  public final void onDoc(long sequence, int index, int kind, int flags, DocView doc) {
    writer
        .effect(index, kind, flags)
        .version(doc.version())
        .count(doc.docCount())
        .id(doc.idHigh(), doc.idLow())
        .dueMs(doc.arrivalMs())
        .createdMs(doc.createdMs())
        .modifiedMs(doc.modifiedMs())
        .claimant(doc.claimantHigh(), doc.claimantLow())
        .valueKind(doc.valueKind())
        .part(EffectParts.ID_TEXT, doc.idTextBuffer(), doc.idTextOffset(), doc.idTextLength())
        .part(
            EffectParts.CLAIMANT_TEXT,
            doc.claimantTextBuffer(),
            doc.claimantTextOffset(),
            doc.claimantTextLength())
        .part(
            EffectParts.NAMESPACE,
            doc.namespaceBuffer(),
            doc.namespaceOffset(),
            doc.namespaceLength())
        .part(EffectParts.KEY, doc.keyBuffer(), doc.keyOffset(), doc.keyLength())
        .part(
            EffectParts.SECONDARY_KEY,
            doc.secondaryKeyBuffer(),
            doc.secondaryKeyOffset(),
            doc.secondaryKeyLength());
    if (hasValues) {
      writer.part(EffectParts.VALUE, doc.valueBuffer(), doc.valueOffset(), doc.valueLength());
    }
  }

  @Override
  public final void onPolicy(
      long sequence,
      int index,
      int kind,
      int flags,
      Bytes policy,
      int version,
      long pausedUntilMs) {
    writer
        .effect(index, kind, flags)
        .version(version)
        .dueMs(pausedUntilMs)
        .part(EffectParts.POLICY, policy.buffer(), policy.offset(), policy.length());
  }

  @Override
  public final void onQueue(
      long sequence, int index, int kind, int flags, Bytes name, long untilMs) {
    writer
        .effect(index, kind, flags)
        .dueMs(untilMs)
        .part(EffectParts.QUEUE, name.buffer(), name.offset(), name.length());
  }
}
