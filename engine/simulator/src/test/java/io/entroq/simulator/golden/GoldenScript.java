package io.entroq.simulator.golden;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.entroq.codec.wire.log.Acknowledge;
import io.entroq.codec.wire.log.CallersGone;
import io.entroq.codec.wire.log.Cancel;
import io.entroq.codec.wire.log.Change;
import io.entroq.codec.wire.log.ChangeMode;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.ClaimDocs;
import io.entroq.codec.wire.log.Cut;
import io.entroq.codec.wire.log.DocData;
import io.entroq.codec.wire.log.DocRef;
import io.entroq.codec.wire.log.DocSet;
import io.entroq.codec.wire.log.Facade;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Identity;
import io.entroq.codec.wire.log.Insert;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.RaiseLevel;
import io.entroq.codec.wire.log.TaskData;
import io.entroq.codec.wire.log.TaskRef;
import io.entroq.codec.wire.log.Tick;
import io.entroq.codec.wire.log.ValueKind;
import java.util.function.ObjLongConsumer;

/** Commands in an order that is unlikely at random, each kind at least once. */
final class GoldenScript {
  private static final long ID_HIGH = 0x601D;
  private static final long CLIENT = 0xC0FFEE;
  private static final Id CLAIMANT = Id.newBuilder().setHigh(77).setLow(78).build();
  private static final Id ODD_CLAIMANT =
      Id.newBuilder().setHigh(79).setLow(80).setText("Zoë ☃ #1").build();
  private static final String LONG_QUEUE = "q".repeat(1_021) + "☃";
  private static final long LEASE_MS = 10_000;

  private final ObjLongConsumer<Message> machine;
  private long nowMs;
  private long nextNumber = 1;
  private Modify askedBefore;

  GoldenScript(ObjLongConsumer<Message> machine) {
    this.machine = machine;
  }

  /** Advances time. */
  GoldenScript at(long timeMs) {
    nowMs = timeMs;
    return this;
  }

  /** Executes what the new level changes, then raises the level. */
  void raise(int level) {
    askedBefore = movedOn();
    perform(RaiseLevel.newBuilder().setLevel(level).build());
  }

  void play() {
    perform(
        Cut.newBuilder()
            .setAfterSequence(7)
            .setSegment("run-000001/segment")
            .setOffset(4_096)
            .setDroppedBytes(17)
            .build());
    perform(askedBefore);
    movedOn();
    leases();
    docs();
    delivered();
    burst();
    heavyBurst();
    fullQueue();
    manyComeDue();
    oddTexts();
    oneModifyOfEveryKind();
    callersComeAndGo();
    perform(RaiseLevel.newBuilder().setLevel(1).build());
  }

  /** More bytes than one step may assign: one task repeatedly, with leases of zero length. */
  private void heavyBurst() {
    for (int i = 0; i < 260; i++) {
      perform(claim("heavy").setIdentity(next()).setWait(true).build());
    }
    long id = 6_000 + nextNumber;
    Insert.Builder heavy = insert(id, "heavy", nowMs);
    heavy
        .getDataBuilder()
        .setValueKind(ValueKind.VALUE_BYTES)
        .setValue(ByteString.copyFrom(new byte[32 << 10]));
    perform(modify(CLAIMANT).addInserts(heavy).build());
    perform(Tick.getDefaultInstance());
    perform(modify(CLAIMANT).addDeletes(ref(id, "heavy").setVersion(260)).build());
  }

  /** More tasks than a queue may have: inserted, moved there, and beside deleted ones. */
  private void fullQueue() {
    long first = 7_000 + 100 * nextNumber;
    String queue = "full " + nextNumber;
    perform(inserts(first, 3, queue, nowMs).setQueueTasksMax(3).build());
    Modify refused =
        inserts(first + 3, 1, queue, nowMs).setIdentity(next()).setQueueTasksMax(3).build();
    perform(refused);
    perform(refused.toBuilder().setQueueTasksMax(9).build());
    perform(inserts(first + 4, 2, "beside " + queue, nowMs).setQueueTasksMax(3).build());
    perform(
        modify(CLAIMANT)
            .setIdentity(next())
            .addInserts(insert(first + 6, queue, nowMs))
            .addChanges(moved(first + 4, "beside " + queue, queue))
            .addDeletes(ref(first, queue))
            .setQueueTasksMax(3)
            .build());
    perform(
        modify(CLAIMANT)
            .addInserts(insert(first + 7, queue, nowMs))
            .addDeletes(ref(first + 1, queue))
            .setQueueTasksMax(2)
            .build());
    perform(inserts(first + 8, 2, queue, nowMs).build());
    Modify neverFits =
        inserts(first + 10, 2, queue, nowMs)
            .setIdentity(next())
            .addDepends(ref(first + 8, queue))
            .setQueueTasksMax(2)
            .build();
    perform(neverFits);
    perform(neverFits);
  }

  /** Answers that are reported as delivered, and others, before their callers are gone. */
  private void delivered() {
    long first = 1_000_000 + 100 * nextNumber;
    String queue = "delivered " + nextNumber;
    long number = nextNumber;
    perform(inserts(first, 6, queue, nowMs).build());
    Message claim = claim(queue).setIdentity(next()).setLeaseMs(LEASE_MS).build();
    perform(claim);
    perform(claim(queue).setIdentity(next()).setLimit(2).setLeaseMs(LEASE_MS).build());
    perform(
        modify(ODD_CLAIMANT)
            .setIdentity(next())
            .addInserts(insert(first + 6, "beside " + queue, nowMs))
            .setThenClaim(Claim.newBuilder().addQueues(queue).setLeaseMs(LEASE_MS))
            .build());
    perform(claim(queue).setIdentity(next()).setLeaseMs(LEASE_MS).build());
    perform(claim("nothing here").setIdentity(next()).setWait(true).build());
    perform(
        Acknowledge.newBuilder()
            .addDelivered(identity(number))
            .addDelivered(identity(number + 1))
            .addDelivered(identity(number + 2))
            .addDelivered(identity(number + 4))
            .addDelivered(identity(number + 9))
            .addDelivered(identity(number).toBuilder().setClientLow(1))
            .build());
    perform(CallersGone.newBuilder().addClients(identity(0)).build());
    perform(claim);
    perform(cancel(number + 1));
    perform(CallersGone.newBuilder().setAll(true).build());
  }

  /** A Modify that is repeated after everything that it wrote has changed. */
  private Modify movedOn() {
    long first = 2_000_000 + 100 * nextNumber;
    String namespace = "moved on " + nextNumber;
    String queue = "held " + nextNumber;
    perform(inserts(first, 3, queue, nowMs).addDocInserts(doc(namespace, 1, "key", "a")).build());
    perform(claim(queue).setClaimant(ODD_CLAIMANT).setLimit(3).setLeaseMs(LEASE_MS).build());
    Modify asked =
        modify(ODD_CLAIMANT)
            .setIdentity(next())
            .addInserts(insert(first + 3, queue, nowMs + 1))
            .addChanges(change(first, queue, nowMs + 2 * LEASE_MS).setVersion(1))
            .addChanges(change(first + 1, queue, nowMs).setVersion(1))
            .addChanges(lease(first + 2, queue, 0).setVersion(1))
            .addDocInserts(doc(namespace, 2, "key", "b"))
            .addDocChanges(doc(namespace, 1, "", "").setByMs(9))
            .build();
    perform(asked);
    perform(
        modify(ODD_CLAIMANT)
            .addChanges(change(first, "changed", nowMs).setVersion(2))
            .addChanges(change(first + 1, "changed", nowMs).setVersion(2))
            .addDeletes(ref(first + 2, queue).setVersion(2))
            .addDeletes(ref(first + 3, queue))
            .addDocChanges(doc(namespace, 2, "moved", "").setVersion(1))
            .addDocDeletes(docRef(namespace, 1, 1))
            .build());
    perform(asked);
    return asked;
  }

  /** Lease changes, durations and resets of claims, and what they refuse. */
  private void leases() {
    long first = 3_000_000 + 100 * nextNumber;
    String queue = "leased " + nextNumber;
    perform(inserts(first, 4, queue, nowMs).build());
    perform(claim(queue).setClaimant(CLAIMANT).setLimit(4).setLeaseMs(LEASE_MS).build());
    Modify renewal =
        modify(CLAIMANT)
            .setIdentity(next())
            .addChanges(lease(first, queue, 2 * LEASE_MS).setVersion(1))
            .addChanges(lease(first + 1, queue, -5).setVersion(1))
            .addChanges(reset(first + 2, queue, LEASE_MS).setVersion(1))
            .addChanges(reset(first + 3, queue, 0).setVersion(1))
            .build();
    perform(renewal);
    perform(renewal);
    perform(renewal.toBuilder().setIdentity(next()).build());
    perform(
        modify(ODD_CLAIMANT)
            .setIdentity(next())
            .addChanges(lease(first, queue, 1).setVersion(2))
            .addChanges(lease(first + 1, "elsewhere", 1).setVersion(2))
            .addDeletes(ref(first + 2, queue).setVersion(2))
            .addDepends(ref(first + 3, queue))
            .build());
    Insert.Builder later = insert(first + 4, queue, 0);
    later.getDataBuilder().setByMs(Long.MAX_VALUE);
    Insert.Builder before = insert(first + 5, queue, 0);
    before.getDataBuilder().setByMs(Long.MIN_VALUE);
    perform(modify(CLAIMANT).addInserts(later).addInserts(before).build());
    perform(
        modify(CLAIMANT)
            .addInserts(insert(first, queue, nowMs))
            .addDeletes(ref(first, queue).setVersion(2))
            .build());
  }

  /** All commands on docs and doc sets, also in one Modify with tasks. */
  private void docs() {
    String namespace = "docs " + nextNumber;
    Modify insert =
        modify(ODD_CLAIMANT)
            .setIdentity(next())
            .addInserts(insert(8_000 + 100 * nextNumber, "with docs", nowMs))
            .addDocInserts(doc(namespace, 1, "key", "b"))
            .addDocInserts(doc(namespace, 2, "key", "a"))
            .addDocInserts(doc(namespace, 3, "", ""))
            .addDocInserts(doc("beside " + namespace, 1, LONG_QUEUE, LONG_QUEUE))
            .build();
    perform(insert);
    perform(insert);
    ClaimDocs claim =
        claimDocs(ODD_CLAIMANT, namespace, "none", "key")
            .setIdentity(next())
            .setLeaseMs(LEASE_MS)
            .build();
    perform(claim);
    perform(claim);
    ClaimDocs refused =
        claimDocs(CLAIMANT, namespace, "other", "key")
            .setIdentity(next())
            .setLeaseMs(LEASE_MS)
            .build();
    perform(refused);
    perform(claimDocs(CLAIMANT, namespace, "twice", "twice").setLeaseMs(1).build());
    Modify commit =
        modify(ODD_CLAIMANT)
            .setIdentity(next())
            .addDocInserts(doc(namespace, 4, "key", "c").setByMs(7))
            .addDocChanges(doc(namespace, 1, "moved", "").setArrivalMs(nowMs + 9))
            .addDocChanges(setLease(namespace, "none", 1, LEASE_MS))
            .addDocDeletes(docRef(namespace, 2, 0))
            .addDocDepends(setRef(namespace, "key", 1))
            .addDocDepends(docRef(namespace, 3, 0))
            .setThenClaim(Claim.newBuilder().addQueues("with docs").setLeaseMs(1))
            .build();
    perform(commit);
    perform(claim);
    perform(refused);
    perform(commit);
    failAltogether(namespace);
    perform(modify(CLAIMANT).addDocDeletes(docRef("beside " + namespace, 1, 0)).build());
    perform(modify(CLAIMANT).addDocInserts(doc("beside " + namespace, 1, LONG_QUEUE, "")).build());
    matched(namespace);
  }

  /** Every reason to refuse an item about docs, beside one about a task. */
  private void failAltogether(String namespace) {
    perform(
        modify(CLAIMANT)
            .setIdentity(next())
            .addDeletes(ref(1, "nowhere"))
            .addDocInserts(doc(namespace, 3, "again", ""))
            .addDocInserts(doc(namespace, 5, "key", "b"))
            .addDocInserts(doc(namespace, 6, "none", ""))
            .addDocChanges(doc(namespace, 1, "", "c").setVersion(2))
            .addDocChanges(setLease(namespace, "never", 0, 1))
            .addDocChanges(setLease(namespace, "key", 7, 1))
            .addDocDeletes(docRef(namespace, 2, 2))
            .addDocDepends(setRef(namespace, "never", 0))
            .build());
    perform(
        modify(CLAIMANT)
            .addDocInserts(doc(namespace, 7, "place", "same"))
            .addDocInserts(doc(namespace, 8, "place", "same"))
            .build());
    perform(
        modify(CLAIMANT)
            .addDocChanges(setLease(namespace, "none", 2, 1))
            .addDocChanges(setLease(namespace, "none", 2, 1))
            .build());
  }

  /** Sets that are held as long as a task, and not without it. */
  private void matched(String namespace) {
    long id = 9_000_000 + nextNumber;
    Insert.Builder held = insert(id, "matched", 0);
    held.getDataBuilder().setByMs(50);
    perform(modify(CLAIMANT).addInserts(held).build());
    ClaimDocs.Builder claim = claimDocs(CLAIMANT, namespace, "with a task", "other");
    claim.getSetsBuilder(1).setOmitMembers(true);
    perform(claim.setTask(ref(id, "matched").setVersion(1)).build());
    perform(claim.setTask(ref(id, "elsewhere")).build());
    perform(claim.setTask(ref(id, "matched")).setIdentity(next()).build());
    perform(
        modify(CLAIMANT)
            .addChanges(lease(id, "matched", LEASE_MS))
            .addDocChanges(setLease(namespace, "with a task", 1, LEASE_MS))
            .addDocChanges(setLease(namespace, "other", 1, LEASE_MS))
            .build());
    later(2 * LEASE_MS);
    perform(claim.setTask(ref(id, "matched").setVersion(1)).setIdentity(next()).build());
  }

  private static ClaimDocs.Builder claimDocs(Id claimant, String namespace, String... keys) {
    ClaimDocs.Builder claim = ClaimDocs.newBuilder().setClaimant(claimant);
    for (String key : keys) {
      claim.addSets(DocSet.newBuilder().setNamespace(namespace).setKey(key));
    }
    return claim;
  }

  private static DocData.Builder setLease(String namespace, String key, int version, long byMs) {
    return DocData.newBuilder()
        .setNamespace(namespace)
        .setKey(key)
        .setVersion(version)
        .setByMs(byMs)
        .setMode(ChangeMode.CHANGE_LEASE);
  }

  private static DocRef setRef(String namespace, String key, int version) {
    return DocRef.newBuilder().setNamespace(namespace).setKey(key).setVersion(version).build();
  }

  private static DocData.Builder doc(String namespace, long id, String key, String secondary) {
    return DocData.newBuilder()
        .setNamespace(namespace)
        .setId(id(id))
        .setKey(key)
        .setSecondaryKey(secondary)
        .setValueKind(ValueKind.VALUE_BYTES)
        .setValue(ByteString.copyFromUtf8(key + secondary));
  }

  private static DocRef docRef(String namespace, long id, int version) {
    return DocRef.newBuilder().setNamespace(namespace).setId(id(id)).setVersion(version).build();
  }

  /** More claims than one step may serve: twelve of a hundred tasks each, with empty leases. */
  private void burst() {
    for (int i = 0; i < 12; i++) {
      perform(claim("burst").setIdentity(next()).setLimit(100).setWait(true).build());
    }
    perform(inserts(1_000, 100, "burst", nowMs).build());
    perform(Tick.getDefaultInstance());
  }

  /** More tasks become available at once than a claim makes ready. */
  private void manyComeDue() {
    perform(inserts(2_000, 300, "due", nowMs + 50).build());
    later(60);
    perform(claim("due", "burst").setLimit(7).setLeaseMs(LEASE_MS).build());
    perform(claim("due").setLimit(1_000).setLeaseMs(1).setClaimant(CLAIMANT).build());
    later(1);
    perform(claim("due").setIdentity(next()).setLimit(3).setLeaseMs(Long.MAX_VALUE).build());
  }

  private void oddTexts() {
    Id odd = Id.newBuilder().setHigh(ID_HIGH).setLow(3_000).setText("é".repeat(512)).build();
    TaskData data =
        TaskData.newBuilder()
            .setQueue(LONG_QUEUE)
            .setArrivalMs(nowMs)
            .setValueKind(ValueKind.VALUE_BYTES)
            .setValue(ByteString.copyFrom(new byte[] {0, -1, 127, -128}))
            .setAttempt(-1)
            .setErr("no\u0000t f\uD83D\uDE00und")
            .build();
    perform(modify(ODD_CLAIMANT).addInserts(Insert.newBuilder().setId(odd).setData(data)).build());
    Message claim =
        claim(LONG_QUEUE, LONG_QUEUE, "none")
            .setIdentity(next())
            .setClaimant(ODD_CLAIMANT)
            .setLeaseMs(LEASE_MS)
            .build();
    perform(claim);
    perform(claim);
    Id impostor = ODD_CLAIMANT.toBuilder().setText("another").build();
    perform(claim("due").setIdentity(next()).setClaimant(impostor).build());
  }

  private void oneModifyOfEveryKind() {
    for (Facade facade : new Facade[] {Facade.FACADE_V1, Facade.FACADE_V0}) {
      long first = 4_000L + 10L * facade.getNumber();
      perform(inserts(first, 4, "every", nowMs).build());
      Message all =
          modify(CLAIMANT)
              .setFacade(facade)
              .setIdentity(next())
              .addInserts(insert(first + 5, "every", nowMs + 5_000))
              .addChanges(change(first, "every", nowMs))
              .addChanges(change(first + 1, "every", nowMs + 5_000))
              .addDeletes(ref(first + 2, "every"))
              .addDepends(ref(first + 3, "every"))
              .setThenClaim(Claim.newBuilder().addQueues("changed").setLimit(2).setLeaseMs(1_000))
              .build();
      perform(all);
      perform(all);
      later(1_001);
      perform(all);
    }
  }

  private void callersComeAndGo() {
    perform(inserts(5_000, 5, "gone", nowMs).build());
    Identity unknown = identity(5).toBuilder().setClientLow(99).setAckedBelow(1).build();
    perform(claim("gone").setIdentity(unknown).build());
    for (int i = 0; i < 3; i++) {
      perform(claim("gone").setIdentity(next()).setLeaseMs(LEASE_MS).build());
    }
    perform(cancel(nextNumber - 1));
    perform(cancel(nextNumber - 1));
    perform(claim("nothing here").setIdentity(next()).setWait(true).build());
    perform(cancel(nextNumber - 1));
    perform(claim("nothing here").setIdentity(next()).setWait(true).build());
    perform(claim("nor here").setIdentity(next()).setWait(true).setDeadlineMs(nowMs + 5).build());
    later(5);
    perform(
        Acknowledge.newBuilder()
            .addClients(identity(0).toBuilder().clearNumber().setAckedBelow(nextNumber - 4))
            .build());
    perform(CallersGone.newBuilder().addClients(identity(0)).build());
    perform(claim("gone", "nothing here").setIdentity(next()).setLimit(9).setWait(true).build());
    perform(claim("nothing here").setIdentity(next()).setWait(true).build());
    perform(CallersGone.newBuilder().setAll(true).build());
  }

  private void later(long byMs) {
    nowMs += byMs;
    perform(Tick.getDefaultInstance());
  }

  private void perform(Message command) {
    machine.accept(command, nowMs);
  }

  private static Claim.Builder claim(String... queues) {
    Claim.Builder claim = Claim.newBuilder();
    for (String queue : queues) {
      claim.addQueues(queue);
    }
    return claim;
  }

  private static Modify.Builder modify(Id claimant) {
    return Modify.newBuilder().setClaimant(claimant);
  }

  private static Modify.Builder inserts(long firstId, int count, String queue, long arrivalMs) {
    Modify.Builder modify = Modify.newBuilder();
    for (long low = firstId; low < firstId + count; low++) {
      modify.addInserts(insert(low, queue, arrivalMs));
    }
    return modify;
  }

  private static Insert.Builder insert(long low, String queue, long arrivalMs) {
    TaskData data = TaskData.newBuilder().setQueue(queue).setArrivalMs(arrivalMs).build();
    return Insert.newBuilder().setId(id(low)).setData(data);
  }

  private static Change.Builder change(long low, String from, long arrivalMs) {
    return changed(low, from, "changed", arrivalMs);
  }

  private Change.Builder moved(long low, String from, String to) {
    return changed(low, from, to, nowMs);
  }

  private static Change.Builder changed(long low, String from, String to, long arrivalMs) {
    TaskData data = TaskData.newBuilder().setQueue(to).setArrivalMs(arrivalMs).build();
    return Change.newBuilder().setId(id(low)).setFromQueue(from).setData(data);
  }

  private static Change.Builder lease(long low, String queue, long byMs) {
    TaskData data = TaskData.newBuilder().setQueue(queue).setByMs(byMs).build();
    return Change.newBuilder()
        .setId(id(low))
        .setFromQueue(queue)
        .setData(data)
        .setMode(ChangeMode.CHANGE_LEASE);
  }

  private static Change.Builder reset(long low, String queue, long byMs) {
    return lease(low, queue, byMs).setMode(ChangeMode.CHANGE_RESET_CLAIMS);
  }

  private static TaskRef.Builder ref(long low, String queue) {
    return TaskRef.newBuilder().setId(id(low)).setQueue(queue);
  }

  /** Half the bytes: an upper half of zero is not written. */
  private static Id id(long low) {
    return Id.newBuilder().setLow(ID_HIGH << 32 | low).build();
  }

  private static Message cancel(long number) {
    return Cancel.newBuilder().setIdentity(identity(number)).build();
  }

  private Identity next() {
    return identity(nextNumber++).toBuilder().setAckedBelow(1).build();
  }

  private static Identity identity(long number) {
    return Identity.newBuilder().setClientHigh(CLIENT).setNumber(number).build();
  }
}
