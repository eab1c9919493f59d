package io.entroq.engine.embedded;

import io.entroq.codec.command.Slice;
import io.entroq.codec.result.QueueStatsFields;
import io.entroq.codec.result.ResultEncoder;
import io.entroq.codec.result.ResultTaskFields;
import io.entroq.engine.state.QueueFigures;
import io.entroq.engine.state.QueueStatsSink;
import io.entroq.engine.state.ResultSink;
import io.entroq.engine.task.TaskView;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Encodes one answer of the state machine after the other as a Result, without making objects. One
 * thread.
 *
 * <p>Tasks that the caller has sent himself come back without what he sent: queue, value, attempt
 * and err.
 */
final class ResultWriter implements QueueStatsSink {
  private final ResultEncoder encoder = new ResultEncoder();
  private final ResultTaskFields fields = new ResultTaskFields();
  private final QueueStatsFields queueFields = new QueueStatsFields();
  private final Slice existingQueue = new Slice();
  private MutableDirectBuffer buffer;
  private int partOffset;
  private boolean hasOwnTasks;
  private final int listingBytesMax;
  private boolean isListingCut;

  /**
   * @param listingBytesMax a listing ends when it is longer than this
   */
  ResultWriter(int listingBytesMax) {
    this.listingBytesMax = listingBytesMax;
  }

  /** Begins an answer at the start of a buffer, which grows as needed. */
  void begin(MutableDirectBuffer target, int code, long stepSequence, long logTimeMs) {
    buffer = target;
    partOffset = 0;
    hasOwnTasks = false;
    isListingCut = false;
    encoder.wrap(target, 0, code, stepSequence, logTimeMs);
  }

  void task(int role, TaskView task) {
    if (role == ResultSink.ROLE_LISTED && !hasRoom()) {
      return;
    }
    fields.clear();
    describe(task);
    switch (role) {
      case ResultSink.ROLE_CLAIMED -> {
        describeContent(task);
        beginPartForClaimed();
        encoder.claimed(fields);
      }
      case ResultSink.ROLE_INSERTED -> {
        hasOwnTasks = true;
        encoder.inserted(fields);
      }
      case ResultSink.ROLE_CHANGED -> {
        hasOwnTasks = true;
        encoder.changed(fields);
      }
      case ResultSink.ROLE_LISTED -> {
        describeContent(task);
        encoder.task(fields);
      }
      default -> throw new IllegalArgumentException("a task in an unknown role: " + role);
    }
  }

  void failure(int itemKind, int index, boolean claimed, TaskView existing) {
    existingQueue.clear();
    int version = 0;
    if (existing != null) {
      version = existing.version();
      existingQueue.wrap(existing.queueBuffer(), existing.queueOffset(), existing.queueLength());
    }
    encoder.failure(itemKind, index, claimed, version, existingQueue);
  }

  void item(int itemKind, int index) {
    encoder.item(itemKind, index);
  }

  @Override
  public void onQueue(DirectBuffer name, int offset, int length, QueueFigures figures) {
    if (!hasRoom()) {
      return;
    }
    queueFields.clear();
    queueFields.name().wrap(name, offset, length);
    queueFields
        .tasks(figures.tasks())
        .available(figures.available())
        .claimed(figures.claimed())
        .held(figures.held())
        .future(figures.future())
        .maxClaims(figures.claimsMax());
    encoder.queue(queueFields);
  }

  /** Whether the answer is a listing of which the end is missing. */
  boolean isListingCut() {
    return isListingCut;
  }

  /** Ends the answer and says how long it has become, in bytes. */
  int end() {
    return partOffset + encoder.length();
  }

  private boolean hasRoom() {
    isListingCut |= encoder.length() > listingBytesMax;
    return !isListingCut;
  }

  /**
   * Claimed tasks come after inserted and changed ones here, and before them in a Result. Two
   * encodings behind one another are one message, so what comes late begins a second one.
   */
  private void beginPartForClaimed() {
    if (hasOwnTasks) {
      hasOwnTasks = false;
      partOffset += encoder.length();
      encoder.wrap(buffer, partOffset, 0, 0, 0);
    }
  }

  private void describe(TaskView task) {
    fields.id().set(task.idHigh(), task.idLow());
    fields.id().text().wrap(task.idTextBuffer(), task.idTextOffset(), task.idTextLength());
    fields.claimant().set(task.claimantHigh(), task.claimantLow());
    fields
        .claimant()
        .text()
        .wrap(task.claimantTextBuffer(), task.claimantTextOffset(), task.claimantTextLength());
    fields
        .version(task.version())
        .arrivalMs(task.arrivalMs())
        .createdMs(task.createdMs())
        .modifiedMs(task.modifiedMs())
        .claims(task.claims());
  }

  private void describeContent(TaskView task) {
    fields.queue().wrap(task.queueBuffer(), task.queueOffset(), task.queueLength());
    fields.valueKind(task.valueKind()).attempt(task.attempt());
    fields.value().wrap(task.valueBuffer(), task.valueOffset(), task.valueLength());
    fields.err().wrap(task.errBuffer(), task.errOffset(), task.errLength());
  }
}
