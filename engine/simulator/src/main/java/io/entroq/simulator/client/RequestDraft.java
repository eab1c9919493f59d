package io.entroq.simulator.client;

import io.entroq.codec.command.AcknowledgeEncoder;
import io.entroq.codec.command.CancelEncoder;
import io.entroq.codec.command.ClaimEncoder;
import io.entroq.codec.command.DocDataFields;
import io.entroq.codec.command.ModifyEncoder;
import io.entroq.codec.command.TaskDataFields;
import io.entroq.codec.message.ChangeModes;
import io.entroq.codec.message.Facades;
import io.entroq.codec.message.IdFields;
import io.entroq.codec.message.PolicyEncoder;
import io.entroq.codec.message.Slice;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.TaskPositionEncoder;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.client.knowledge.DocWrites;
import io.entroq.simulator.client.knowledge.KnownDoc;
import io.entroq.simulator.client.knowledge.KnownTask;
import io.entroq.simulator.client.knowledge.QueueNames;
import io.entroq.simulator.client.knowledge.TaskIds;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Encodes and sends requests, one at a time, with the real encoders. The parts of a Modify are
 * added in the order of the methods here.
 */
final class RequestDraft {
  /** A failed task rests as its policy says. */
  static final long POLICY_DELAY = -1;

  private static final int NOT_ROGUE = 0;

  private final ClientContext context;
  private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(1 << 16);
  private final ExpandableArrayBuffer inner = new ExpandableArrayBuffer(1 << 12);
  private final ModifyEncoder modify = new ModifyEncoder();
  private final ClaimEncoder claim = new ClaimEncoder();
  private final PolicyEncoder policy = new PolicyEncoder();
  private final CancelEncoder cancel = new CancelEncoder();
  private final AcknowledgeEncoder acknowledge = new AcknowledgeEncoder();
  private final TaskPositionEncoder position = new TaskPositionEncoder();
  private final IdFields id = new IdFields();
  private final TaskDataFields data = new TaskDataFields();
  private final Slice name = new Slice();
  private final Slice noText = new Slice();
  private final Slice err = new Slice();
  private Caller caller;
  private long rogueNumber;
  private int inserts;
  private int changes;
  private int deletes;
  private int fails;
  private int policies;
  private DocWrites docs;
  private long written;
  private boolean mayWrite;
  private int limit;
  private long leaseMs;
  private long queues;

  RequestDraft(ClientContext context) {
    this.context = context;
  }

  // Modifies.

  RequestDraft modify(Caller from) {
    begin(from, NOT_ROGUE);
    if (from.isIdentified()) {
      modify.identity(from.high(), from.low(), from.nextNumber(), from.ackedBelow());
    }
    claimant();
    return this;
  }

  /** Begins a Modify of tasks that others hold, which must be refused. */
  RequestDraft intrude(Caller from) {
    modify(from);
    mayWrite = false;
    return this;
  }

  /** Begins a Modify with a wrong number. */
  RequestDraft rogue(Caller from, long clientLow, long number, long ackedBelow) {
    begin(from, number);
    modify.identity(from.high(), clientLow, number, ackedBelow);
    claimant();
    return this;
  }

  private void begin(Caller from, long number) {
    caller = from;
    rogueNumber = number;
    inserts = 0;
    changes = 0;
    deletes = 0;
    fails = 0;
    policies = 0;
    docs = null;
    written = AnswerChecks.NO_TASKS;
    mayWrite = true;
    limit = 0;
    modify.wrap(buffer, 0);
  }

  private void claimant() {
    modify.facade(caller.isV0() ? Facades.V0 : Facades.V1);
    caller.claimant(id);
    modify.claimant(id);
  }

  RequestDraft insert(KnownTask task) {
    setId(task.idHigh, task.idLow);
    return insertAsSet(task);
  }

  /** Adds a task to insert, with an id that collides with another. */
  RequestDraft insertWithoutText(KnownTask task) {
    id.set(task.idHigh, task.idLow);
    return insertAsSet(task);
  }

  private RequestDraft insertAsSet(KnownTask task) {
    content(task);
    modify.insert(id, data);
    written = AnswerChecks.addWritten(written, task.idHigh, task.idLow, 0);
    inserts++;
    return this;
  }

  /** Adds a task to change, and its new content. */
  RequestDraft change(KnownTask task, KnownTask content) {
    return change(task, task.version, content);
  }

  /** As above, with another version. */
  RequestDraft change(KnownTask task, int version, KnownTask content) {
    content(content);
    return change(task, version, ChangeModes.DEFAULT);
  }

  /** As {@link #change(KnownTask, KnownTask)}; also sets the number of claims to 0. */
  RequestDraft changeAndResetClaims(KnownTask task, KnownTask content) {
    content(content);
    return change(task, task.version, ChangeModes.RESET_CLAIMS);
  }

  /**
   * Adds a change of a lease.
   *
   * @param byMs its new length; if not above 0, the task is released
   */
  RequestDraft lease(KnownTask task, long byMs) {
    data.clear();
    context.queues.text(task.queue, data.queue());
    data.byMs(byMs);
    return change(task, task.version, ChangeModes.LEASE);
  }

  /** Takes a task back from whoever holds it. */
  RequestDraft takeBack(KnownTask task) {
    data.clear();
    context.queues.text(task.queue, data.queue());
    return change(task, task.version, ChangeModes.TAKE_BACK);
  }

  private RequestDraft change(KnownTask task, int version, int mode) {
    noteWrite(task);
    setId(task.idHigh, task.idLow);
    boolean namesQueue = mode == ChangeModes.LEASE || mode == ChangeModes.TAKE_BACK;
    modify.change(id, version, data, mode, queue(task, namesQueue));
    written = AnswerChecks.addWritten(written, task.idHigh, task.idLow, version + 1);
    changes++;
    return this;
  }

  private void noteWrite(KnownTask task) {
    if (mayWrite) {
      context.sightings.touched(task);
    }
  }

  private void content(KnownTask task) {
    data.clear();
    context.queues.text(task.queue, data.queue());
    data.arrivalMs(task.arrivalMs);
    data.byMs(task.byMs);
    data.valueKind(task.valueKind);
    context.values.write(task);
    data.value().wrap(context.values.buffer(), 0, task.valueLength);
    data.attempt(task.attempt);
    data.err().wrap(context.values.err(), 0, task.errLength);
  }

  RequestDraft delete(KnownTask task, int version, boolean namesQueue) {
    noteWrite(task);
    setId(task.idHigh, task.idLow);
    modify.delete(id, version, queue(task, namesQueue));
    deletes++;
    return this;
  }

  RequestDraft depend(KnownTask task, boolean namesQueue) {
    setId(task.idHigh, task.idLow);
    modify.depend(id, task.version, queue(task, namesQueue));
    return this;
  }

  /** Adds a task to delete, with the name of another queue or without a queue. */
  RequestDraft deleteElsewhere(KnownTask task, boolean namesQueue) {
    setId(task.idHigh, task.idLow);
    name.clear();
    if (namesQueue) {
      context.queues.text(QueueNames.NARROW, name);
    }
    modify.delete(id, task.version, name);
    deletes++;
    return this;
  }

  /** The queue of a task. Callers of the v0 API may leave it out. */
  private Slice queue(KnownTask task, boolean namesQueue) {
    if (namesQueue || !caller.isV0()) {
      context.queues.text(task.queue, name);
    } else {
      name.clear();
    }
    return name;
  }

  private void setId(long high, long low) {
    TaskIds.set(id, high, low);
    if (caller.isV0()) {
      id.text().clear();
    }
  }

  /** Claims in the same step. */
  RequestDraft thenClaim(ClaimTerms terms) {
    claim.wrap(inner, 0);
    terms(terms);
    modify.thenClaim(inner, 0, claim.limit(terms.limit).length());
    return this;
  }

  RequestDraft docInsert(KnownDoc doc) {
    modify.docInsert(context.docContents.insert(doc));
    docs().inserted.add(doc);
    return this;
  }

  /** Adds a doc to change, and its new content. */
  RequestDraft docChange(KnownDoc doc, KnownDoc content, boolean namesOtherKeys) {
    modify.docChange(context.docContents.change(doc, content, namesOtherKeys));
    docs().changed.add(content);
    return this;
  }

  /**
   * Adds a change of the lease of a set.
   *
   * @param byMs its new length; if not above 0, the set is released
   */
  RequestDraft docLease(KnownDoc set, long byMs) {
    KnownDoc leased = set.copy();
    leased.byMs = byMs;
    leased.version = set.version + 1;
    modify.docChange(context.docContents.lease(set, byMs));
    docs().changed.add(leased);
    return this;
  }

  RequestDraft docDelete(KnownDoc doc) {
    DocDataFields reference = context.docContents.reference(doc);
    modify.docDelete(reference.namespace(), reference.id(), DocContents.sentVersion(doc), noText);
    docs().deleted.add(doc);
    return this;
  }

  /** Adds a doc or a set to depend on. */
  RequestDraft docDepend(KnownDoc doc) {
    DocDataFields reference = context.docContents.reference(doc);
    modify.docDepend(
        reference.namespace(), reference.id(), DocContents.sentVersion(doc), reference.key());
    docs().depends.add(doc);
    return this;
  }

  private DocWrites docs() {
    docs = docs == null ? new DocWrites() : docs;
    return docs;
  }

  /** Sends the Modify, with or without docs. */
  Call sendDocs(int purpose, int allowed) {
    docs();
    return send(purpose, allowed);
  }

  /** Sets the limit of tasks per queue. */
  RequestDraft queueTasksMax(long tasks) {
    modify.queueTasksMax(tasks);
    return this;
  }

  /** Begins a policy; its fields and {@link #policyPut} follow. */
  PolicyEncoder policy(int kind, int number) {
    return policy.wrap(inner, 0).kind(kind).name(queueName(number));
  }

  RequestDraft policyPut(PolicyEncoder written) {
    modify.policyPut(inner, 0, written.length());
    policies++;
    return this;
  }

  RequestDraft policyDelete(int kind, int number) {
    modify.policyDelete(kind, queueName(number), 0);
    policies++;
    return this;
  }

  /** Pauses, or resumes with 0. */
  RequestDraft pause(int kind, int number, long pauseMs) {
    modify.pause(kind, queueName(number), pauseMs);
    policies++;
    return this;
  }

  /** The name of a queue, valid until the next. */
  Slice queueName(int number) {
    context.queues.text(number, name);
    return name;
  }

  /** Reports that work on a task has failed. */
  RequestDraft fail(KnownTask task, int errLength, long delayMs) {
    noteWrite(task);
    setId(task.idHigh, task.idLow);
    boolean hasDelay = delayMs != POLICY_DELAY;
    err.wrap(context.values.err(), 0, errLength);
    modify.fail(id, task.version, queueName(task.queue), err, hasDelay ? delayMs : 0, hasDelay);
    fails++;
    return this;
  }

  /** Sends a Modify with the answers of a normal one. */
  Call send(int purpose) {
    return send(purpose, Call.OK_OR_DEPENDENCY);
  }

  /** Sends the Modify. */
  Call send(int purpose, int allowed) {
    Call call = open(RecordType.MODIFY, modify.length());
    call.inserts = inserts;
    call.changes = changes;
    call.deletes = deletes;
    call.fails = fails;
    call.policies = policies;
    call.docs = docs;
    call.written = written;
    return send(call, purpose, allowed);
  }

  // Claims.

  Call claim(Caller from, ClaimTerms terms, int purpose) {
    return claim(from, NOT_ROGUE, terms, purpose);
  }

  /** Sends a claim with a wrong number. */
  Call rogueClaim(Caller from, long number, ClaimTerms terms, int purpose) {
    return claim(from, number, terms, purpose);
  }

  private Call claim(Caller from, long rogue, ClaimTerms terms, int purpose) {
    begin(from, rogue);
    claim.wrap(buffer, 0);
    if (from.isIdentified()) {
      long number = rogue == NOT_ROGUE ? from.nextNumber() : rogue;
      claim.identity(from.high(), from.low(), number, from.ackedBelow());
    }
    claim.facade(from.isV0() ? Facades.V0 : Facades.V1);
    from.claimant(id);
    claim.claimant(id);
    terms(terms);
    claim.deadlineMs(terms.deadlineMs).limit(terms.limit).waits(terms.waits);
    Call call = open(RecordType.CLAIM, claim.length());
    call.deadlineMs = terms.deadlineMs;
    call.waits = terms.waits;
    return send(call, purpose, allowed(terms));
  }

  private static int allowed(ClaimTerms terms) {
    int ordinary = Call.bit(ResultCodes.OK) | Call.bit(ResultCodes.CLAIM_LOST);
    if (!terms.waits) {
      return ordinary | Call.bit(ResultCodes.EMPTY);
    }
    return terms.deadlineMs == 0 ? ordinary : ordinary | Call.bit(ResultCodes.TIMED_OUT);
  }

  private void terms(ClaimTerms terms) {
    for (int i = 0; i < terms.queues.size(); i++) {
      context.queues.text(terms.queues.getInt(i), name);
      claim.queue(name);
    }
    claim.leaseMs(terms.leaseMs);
    limit = terms.limit;
    leaseMs = terms.leaseMs;
    queues = terms.queueBits();
  }

  Call cancel(Caller from, long number, int purpose) {
    begin(from, NOT_ROGUE);
    cancel.wrap(buffer, 0).identity(from.high(), from.low(), number, 0);
    Call call = from.open(RecordType.CANCEL, bytes(cancel.length()));
    return send(call, purpose, Call.bit(ResultCodes.OK) | Call.bit(ResultCodes.EMPTY));
  }

  /** Acknowledges replies; there is no answer. */
  void acknowledge(Caller from) {
    begin(from, NOT_ROGUE);
    acknowledge.wrap(buffer, 0).client(from.high(), from.low(), 0, from.ackedBelow());
    from.sendOnce(RecordType.ACKNOWLEDGE, bytes(acknowledge.length()));
  }

  /** Reports the delivery of an answer, as a server does. */
  void delivered(Call call) {
    begin(call.caller, NOT_ROGUE);
    acknowledge.wrap(buffer, 0).delivered(call.caller.high(), call.caller.low(), call.number, 0);
    call.caller.sendOnce(RecordType.ACKNOWLEDGE, bytes(acknowledge.length()));
  }

  /** Asks where a task stands in its queue. */
  Call position(Caller from, KnownTask task, boolean namesQueue, int purpose) {
    begin(from, NOT_ROGUE);
    setId(task.idHigh, task.idLow);
    position.wrap(buffer, 0).id(id);
    if (namesQueue) {
      position.queue(queueName(task.queue));
    }
    Call call = from.open(Request.TASK_POSITION, bytes(position.length()));
    return send(call, purpose, Call.bit(ResultCodes.OK));
  }

  private Call send(Call call, int purpose, int allowed) {
    call.purpose = purpose;
    call.allowed = allowed;
    call.limit = limit;
    call.leaseMs = leaseMs;
    call.queues = queues;
    caller.send(call);
    return call;
  }

  private Call open(int type, int length) {
    return rogueNumber == NOT_ROGUE
        ? caller.open(type, bytes(length))
        : caller.openRogue(type, bytes(length), rogueNumber);
  }

  private DirectBuffer bytes(int length) {
    byte[] bytes = new byte[length];
    buffer.getBytes(0, bytes);
    return new UnsafeBuffer(bytes);
  }
}
