package io.entroq.engine.receipt;

import io.entroq.engine.queue.QueueStore;
import io.entroq.engine.task.Bytes;
import io.entroq.engine.task.Claimants;
import io.entroq.engine.task.Holds;
import io.entroq.engine.task.TaskAttributes;
import io.entroq.engine.task.TaskStore;
import io.entroq.engine.task.TaskView;
import org.agrona.DirectBuffer;

/** Presents a stored task, or what a receipt kept of one. */
public final class TaskFlyweight implements TaskView {

  private static final int NOT_STORED = -1;

  // Parts that have been looked up: most readers want only some.
  private static final int ID_TEXT = 1;

  private static final int CLAIMANT_TEXT = 1 << 1;
  private static final int QUEUE = 1 << 2;
  private static final int VALUE = 1 << 3;
  private static final int ERR = 1 << 4;
  private static final int ATTRIBUTES = 1 << 5;
  private static final int ALL = ID_TEXT | CLAIMANT_TEXT | QUEUE | VALUE | ERR | ATTRIBUTES;

  private final TaskStore tasks;
  private final QueueStore queues;
  private final Claimants claimants;
  private final Bytes idText = new Bytes();
  private final Bytes claimantText = new Bytes();
  private final Bytes queue = new Bytes();
  private final Bytes value = new Bytes();
  private final Bytes err = new Bytes();
  private final TaskAttributes attributes = new TaskAttributes();
  private boolean showsValue;
  private int resolved;
  private int slot;
  private long receiptIdHigh;
  private long receiptIdLow;
  private int receiptVersion;
  private long receiptTimeMs;
  private long receiptArrivalMs;
  private long receiptClaimantHigh;
  private long receiptClaimantLow;
  private long receiptCreatedMs;
  private int receiptClaims;
  private int receiptAttempt;

  public TaskFlyweight(TaskStore tasks, QueueStore queues, Claimants claimants) {
    this.tasks = tasks;
    this.queues = queues;
    this.claimants = claimants;
  }

  public TaskView wrap(int task) {
    return wrap(task, true);
  }

  /** Presents a stored task, with or without its value. */
  public TaskView wrap(int task, boolean withValue) {
    slot = task;
    showsValue = withValue;
    resolved = 0;
    return this;
  }

  /**
   * Presents a task that has changed since, from a receipt. {@link #kept}, {@link #arrival}, {@link
   * #queue}, {@link #claimant} and {@link #decided} add further fields.
   */
  public TaskFlyweight wrapReceipt(long idHigh, long idLow, int version, long timeMs) {
    slot = NOT_STORED;
    receiptIdHigh = idHigh;
    receiptIdLow = idLow;
    receiptVersion = version;
    receiptTimeMs = timeMs;
    receiptArrivalMs = 0;
    receiptClaimantHigh = 0;
    receiptClaimantLow = 0;
    receiptCreatedMs = 0;
    receiptClaims = 0;
    receiptAttempt = 0;
    attributes.clear();
    showsValue = false;
    resolved = ALL;
    idText.clear();
    claimantText.clear();
    queue.clear();
    value.clear();
    err.clear();
    return this;
  }

  public void kept(int claims, long createdMs) {
    receiptClaims = claims;
    receiptCreatedMs = createdMs;
  }

  /** The time from which it was available. */
  public void arrival(long arrivalMs) {
    receiptArrivalMs = arrivalMs;
  }

  /** The queue that it was in. */
  public void queue(DirectBuffer name, int offset, int length) {
    queue.set(name, offset, length);
  }

  /** Its claimant; the text is empty if the key determines it. */
  public void claimant(long high, long low, DirectBuffer text, int offset, int length) {
    receiptClaimantHigh = high;
    receiptClaimantLow = low;
    claimantText.set(text, offset, length);
  }

  /**
   * What the state decided about it, from the entry of a receipt; the error is that of the request.
   */
  public void decided(Receipt receipt, DirectBuffer errBuffer, int errOffset, int errLength) {
    receiptArrivalMs = receipt.decidedArrivalMs();
    receiptAttempt = receipt.decidedAttempt();
    receipt.decidedQueue(queue);
    err.set(errBuffer, errOffset, errLength);
    attributes
        .lapses(receipt.decidedLapses())
        .expiresMs(receipt.decidedExpiresMs())
        .died(receipt.decidedReason(), receipt.decidedDeadAtMs());
  }

  private boolean isFirstUse(int part) {
    boolean first = (resolved & part) == 0;
    resolved |= part;
    return first;
  }

  private Bytes idText() {
    if (isFirstUse(ID_TEXT)) {
      tasks.idText(slot, idText);
    }
    return idText;
  }

  private Bytes claimantText() {
    if (isFirstUse(CLAIMANT_TEXT)) {
      claimantText.clear();
      if (tasks.hasClaimantText(slot)) {
        claimants.text(tasks.claimantHigh(slot), tasks.claimantLow(slot), claimantText);
      }
    }
    return claimantText;
  }

  private Bytes queue() {
    if (isFirstUse(QUEUE)) {
      queues.name(tasks.queue(slot), queue);
    }
    return queue;
  }

  private Bytes value() {
    if (isFirstUse(VALUE)) {
      tasks.value(slot, value);
    }
    return value;
  }

  private Bytes err() {
    if (isFirstUse(ERR)) {
      tasks.err(slot, err);
    }
    return err;
  }

  private boolean isStored() {
    return slot != NOT_STORED;
  }

  @Override
  public long idHigh() {
    return isStored() ? tasks.idHigh(slot) : receiptIdHigh;
  }

  @Override
  public long idLow() {
    return isStored() ? tasks.idLow(slot) : receiptIdLow;
  }

  @Override
  public DirectBuffer idTextBuffer() {
    return idText().buffer();
  }

  @Override
  public int idTextOffset() {
    return idText().offset();
  }

  @Override
  public int idTextLength() {
    return idText().length();
  }

  @Override
  public int version() {
    return isStored() ? tasks.version(slot) : receiptVersion;
  }

  @Override
  public long arrivalMs() {
    return isStored() ? tasks.arrivalMs(slot) : receiptArrivalMs;
  }

  @Override
  public long claimantHigh() {
    return isStored() ? tasks.claimantHigh(slot) : receiptClaimantHigh;
  }

  @Override
  public long claimantLow() {
    return isStored() ? tasks.claimantLow(slot) : receiptClaimantLow;
  }

  @Override
  public DirectBuffer claimantTextBuffer() {
    return claimantText().buffer();
  }

  @Override
  public int claimantTextOffset() {
    return claimantText().offset();
  }

  @Override
  public int claimantTextLength() {
    return claimantText().length();
  }

  @Override
  public DirectBuffer queueBuffer() {
    return queue().buffer();
  }

  @Override
  public int queueOffset() {
    return queue().offset();
  }

  @Override
  public int queueLength() {
    return queue().length();
  }

  @Override
  public int valueKind() {
    return showsValue ? tasks.valueKind(slot) : 0;
  }

  @Override
  public DirectBuffer valueBuffer() {
    return value().buffer();
  }

  @Override
  public int valueOffset() {
    return value().offset();
  }

  @Override
  public int valueLength() {
    return showsValue ? value().length() : 0;
  }

  @Override
  public long createdMs() {
    return isStored() ? tasks.createdMs(slot) : receiptCreatedMs;
  }

  @Override
  public long modifiedMs() {
    return isStored() ? tasks.modifiedMs(slot) : receiptTimeMs;
  }

  @Override
  public int claims() {
    return isStored() ? tasks.claims(slot) : receiptClaims;
  }

  @Override
  public int attempt() {
    return isStored() ? tasks.attempt(slot) : receiptAttempt;
  }

  @Override
  public DirectBuffer errBuffer() {
    return err().buffer();
  }

  @Override
  public int errOffset() {
    return err().offset();
  }

  @Override
  public int errLength() {
    return err().length();
  }

  private TaskAttributes attributes() {
    if (isFirstUse(ATTRIBUTES)) {
      attributes.read(tasks, slot);
    }
    return attributes;
  }

  @Override
  public long insertSequence() {
    return isStored() ? tasks.insertSequence(slot) : 0;
  }

  @Override
  public boolean isInFlight() {
    return isStored() && Holds.isInFlight(tasks.hold(slot));
  }

  @Override
  public boolean hasExtras() {
    // What a receipt tells is there already.
    return !isStored() || tasks.hasExtras(slot) || tasks.hasClaimantText(slot);
  }

  @Override
  public int lapses() {
    return attributes().lapses();
  }

  @Override
  public long expiresMs() {
    return attributes().expiresMs();
  }

  @Override
  public DirectBuffer traceBuffer() {
    return attributes().trace().buffer();
  }

  @Override
  public int traceOffset() {
    return attributes().trace().offset();
  }

  @Override
  public int traceLength() {
    return attributes().trace().length();
  }

  @Override
  public DirectBuffer originBuffer() {
    return attributes().origin().buffer();
  }

  @Override
  public int originOffset() {
    return attributes().origin().offset();
  }

  @Override
  public int originLength() {
    return attributes().origin().length();
  }

  @Override
  public int reason() {
    return attributes().reason();
  }

  @Override
  public long deadAtMs() {
    return attributes().deadAtMs();
  }
}
