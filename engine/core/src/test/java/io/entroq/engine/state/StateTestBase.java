package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import io.entroq.codec.record.Crc32c;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ListQueuesDecoder;
import io.entroq.codec.result.ListTasksDecoder;
import io.entroq.codec.wire.log.Acknowledge;
import io.entroq.codec.wire.log.CallersGone;
import io.entroq.codec.wire.log.Cancel;
import io.entroq.codec.wire.log.Change;
import io.entroq.codec.wire.log.ChangeMode;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.ClaimDocs;
import io.entroq.codec.wire.log.DocData;
import io.entroq.codec.wire.log.DocRef;
import io.entroq.codec.wire.log.DocSet;
import io.entroq.codec.wire.log.Facade;
import io.entroq.codec.wire.log.Genesis;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Identity;
import io.entroq.codec.wire.log.Insert;
import io.entroq.codec.wire.log.ListQueues;
import io.entroq.codec.wire.log.ListTasks;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.RaiseLevel;
import io.entroq.codec.wire.log.TaskData;
import io.entroq.codec.wire.log.TaskRef;
import io.entroq.codec.wire.log.Tick;
import io.entroq.engine.listing.QueueCursor;
import io.entroq.engine.listing.TaskCursor;
import io.entroq.engine.memory.Slab;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A state machine behind its first record, and short words for commands. */
abstract class StateTestBase {
  static final Id ANN = Id.newBuilder().setLow(1_001).build();
  static final Id BOB = Id.newBuilder().setLow(1_002).build();
  static final Id NOBODY = Id.getDefaultInstance();
  static final long LEASE_MS = 30_000;
  static final long NEVER = 0;

  /** The counts of a queue. */
  record Figures(int tasks, int available, int claimed, int held, int future, int claimsMax) {}

  private static final Map<Class<?>, Integer> TYPES =
      Map.of(
          Genesis.class, RecordType.GENESIS,
          Claim.class, RecordType.CLAIM,
          Modify.class, RecordType.MODIFY,
          ClaimDocs.class, RecordType.CLAIM_DOCS,
          Cancel.class, RecordType.CANCEL,
          Tick.class, RecordType.TICK,
          CallersGone.class, RecordType.CALLERS_GONE,
          Acknowledge.class, RecordType.ACKNOWLEDGE,
          RaiseLevel.class, RecordType.RAISE_LEVEL);

  final StateMachine machine;
  long nowMs = 1_700_000_000_000L;

  /** What the last step said. */
  RecordingSink said = new RecordingSink();

  Message lastCommand;

  /** Requests as tests write them, and with the queues of their tasks. */
  private final Map<Modify, Modify> namedBefore = new HashMap<>();

  StateTestBase() {
    this(StateMachineConfig.DEFAULT);
  }

  StateTestBase(StateMachineConfig config) {
    machine = new StateMachine(config);
  }

  @BeforeEach
  void begin() {
    apply(Genesis.newBuilder().setLogIdHigh(1).setSeed(7).setLevel(Levels.MAX).build());
  }

  @AfterEach
  void contentDigestIsTheSumOverTheContent() {
    assertThat(machine.contentDigest()).isEqualTo(machine.recomputeContentDigest());
  }

  /**
   * Logs and applies a command; the answer is null if there is none yet. Names the queue of each
   * task to change, delete or depend on where the test leaves it out.
   */
  final Answer apply(Message command) {
    return applyAsIs(named(machine, command));
  }

  /** Does so without naming queues. */
  final Answer applyAsIs(Message command) {
    lastCommand = command;
    said = log(machine, command);
    return said.of(machine.sequence());
  }

  /** Logs and applies a command to any machine and returns what it said. */
  final RecordingSink applyTo(StateMachine target, Message command) {
    return log(target, named(target, command));
  }

  /** The type of the record of a command. */
  static int recordType(Message command) {
    return TYPES.get(command.getClass());
  }

  private RecordingSink log(StateMachine target, Message command) {
    UnsafeBuffer payload = new UnsafeBuffer(command.toByteArray());
    int length = payload.capacity();
    int crc = new Crc32c().of(payload, 0, length);
    long sequence = target.sequence() + 1;
    RecordingSink sink = new RecordingSink();
    target.apply(recordType(command), payload, 0, length, crc, nowMs, sequence, sink);
    return sink;
  }

  private Message named(StateMachine target, Message command) {
    if (!(command instanceof Modify modify) || modify.getFacade() == Facade.FACADE_V0) {
      return command;
    }
    // A retry names what the first attempt named.
    return modify.hasIdentity()
        ? namedBefore.computeIfAbsent(modify, first -> withQueues(target, first))
        : withQueues(target, modify);
  }

  /** The Modify with the queue of each task that it names without one. */
  static Modify withQueues(StateMachine target, Modify modify) {
    Modify.Builder named = modify.toBuilder();
    for (Change.Builder change : named.getChangesBuilderList()) {
      if (change.getFromQueue().isEmpty()) {
        change.setFromQueue(queueOf(target, change.getId()));
      }
    }
    for (TaskRef.Builder delete : named.getDeletesBuilderList()) {
      name(target, delete);
    }
    for (TaskRef.Builder depend : named.getDependsBuilderList()) {
      name(target, depend);
    }
    return named.build();
  }

  private static void name(StateMachine target, TaskRef.Builder task) {
    if (task.getQueue().isEmpty()) {
      task.setQueue(queueOf(target, task.getId()));
    }
  }

  private static String queueOf(StateMachine target, Id id) {
    List<Shot> found = list(target, target.logTimeMs(), ListTasks.newBuilder().addIds(id).build());
    return found.isEmpty() ? "q" : found.get(0).queue();
  }

  final Answer apply(Modify.Builder modify) {
    return apply(modify.build());
  }

  final Answer apply(Claim.Builder claim) {
    return apply(claim.build());
  }

  /** Time goes by. */
  final void later(long byMs) {
    nowMs += byMs;
    apply(Tick.getDefaultInstance());
  }

  // Commands.

  final Answer raiseLevel(int level) {
    return apply(RaiseLevel.newBuilder().setLevel(level).build());
  }

  final Answer insert(String queue, long id) {
    return apply(modify(ANN).addInserts(insert(queue, id, nowMs)));
  }

  static Modify.Builder modify(Id claimant) {
    return Modify.newBuilder().setClaimant(claimant);
  }

  static Insert insert(String queue, long id, long arrivalMs) {
    return Insert.newBuilder().setId(task(id)).setData(data(queue, arrivalMs)).build();
  }

  static Change change(String queue, long id, int version, long arrivalMs) {
    return Change.newBuilder()
        .setId(task(id))
        .setVersion(version)
        .setData(data(queue, arrivalMs))
        .build();
  }

  /** Takes a task back from whoever holds it. */
  static Change.Builder takeBack(String queue, long id, int version) {
    return Change.newBuilder()
        .setId(task(id))
        .setVersion(version)
        .setMode(ChangeMode.CHANGE_TAKE_BACK)
        .setFromQueue(queue)
        .setData(TaskData.newBuilder().setQueue(queue));
  }

  static TaskData data(String queue, long arrivalMs) {
    return TaskData.newBuilder().setQueue(queue).setArrivalMs(arrivalMs).build();
  }

  static TaskRef ref(long id, int version) {
    return TaskRef.newBuilder().setId(task(id)).setVersion(version).build();
  }

  static Id task(long id) {
    return Id.newBuilder().setLow(id).build();
  }

  static DocData.Builder doc(String namespace, long id, String key) {
    return DocData.newBuilder().setNamespace(namespace).setId(task(id)).setKey(key);
  }

  static DocRef docRef(String namespace, long id, int version) {
    return DocRef.newBuilder().setNamespace(namespace).setId(task(id)).setVersion(version).build();
  }

  /** A change of the lease of a set. */
  static DocData.Builder lease(String namespace, String key, int version, long byMs) {
    return DocData.newBuilder()
        .setNamespace(namespace)
        .setKey(key)
        .setVersion(version)
        .setByMs(byMs)
        .setMode(ChangeMode.CHANGE_LEASE);
  }

  static DocRef setRef(String namespace, String key, int version) {
    return DocRef.newBuilder().setNamespace(namespace).setKey(key).setVersion(version).build();
  }

  static DocSet set(String namespace, String key) {
    return DocSet.newBuilder().setNamespace(namespace).setKey(key).build();
  }

  static ClaimDocs.Builder claimDocs(Id claimant, String namespace, String key) {
    return ClaimDocs.newBuilder()
        .setClaimant(claimant)
        .addSets(set(namespace, key))
        .setLeaseMs(LEASE_MS);
  }

  static Claim.Builder claim(Id claimant, String... queues) {
    return Claim.newBuilder()
        .setClaimant(claimant)
        .setLeaseMs(LEASE_MS)
        .addAllQueues(List.of(queues));
  }

  /** A claim that waits. */
  static Claim.Builder wait(Identity identity, long deadlineMs, String... queues) {
    return claim(ANN, queues).setIdentity(identity).setWait(true).setDeadlineMs(deadlineMs);
  }

  /** A request of a client that has acknowledged nothing. */
  static Identity request(long client, long number) {
    return Identity.newBuilder().setClientLow(client).setNumber(number).setAckedBelow(1).build();
  }

  final Answer cancel(long client, long number) {
    Identity identity = Identity.newBuilder().setClientLow(client).setNumber(number).build();
    return apply(Cancel.newBuilder().setIdentity(identity).build());
  }

  final void gone(long client) {
    Identity identity = Identity.newBuilder().setClientLow(client).build();
    apply(CallersGone.newBuilder().addClients(identity).build());
  }

  // Reads.

  /** The doc as it stands, or null. */
  final DocShot findDoc(String namespace, long id) {
    byte[] name = namespace.getBytes(StandardCharsets.UTF_8);
    int slot = machine.stores.namespaces.find(new UnsafeBuffer(name), 0, name.length);
    int doc = machine.stores.docs.find(slot, 0, id);
    return doc == Slab.NONE ? null : DocShot.of(machine.stores.docView().wrap(doc, true));
  }

  /** The set as it is, or null. */
  final DocShot findSet(String namespace, String key) {
    byte[] name = namespace.getBytes(StandardCharsets.UTF_8);
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    int slot = machine.stores.namespaces.find(new UnsafeBuffer(name), 0, name.length);
    int set = machine.stores.docSets.find(slot, new UnsafeBuffer(bytes), 0, bytes.length);
    return set == Slab.NONE ? null : DocShot.of(machine.stores.docView().wrapSet(set));
  }

  /** The task as it stands, or null. */
  final Shot find(long id) {
    List<Shot> listed = list(ListTasks.newBuilder().addIds(task(id)).build());
    return listed.isEmpty() ? null : listed.get(0);
  }

  /** The tasks that a listing shows. */
  final List<Shot> list(ListTasks query) {
    return list(machine, nowMs, query);
  }

  private static List<Shot> list(StateMachine target, long atMs, ListTasks query) {
    ListTasksDecoder decoder = new ListTasksDecoder();
    UnsafeBuffer buffer = new UnsafeBuffer(query.toByteArray());
    decoder.wrap(buffer, 0, buffer.capacity());
    List<Shot> listed = new ArrayList<>();
    target.listTasks(
        new TaskCursor(decoder), atMs, Integer.MAX_VALUE, task -> listed.add(Shot.of(task)));
    return listed;
  }

  /** For how long the oldest available task of each queue has been due, at a time. */
  final Map<String, Long> oldestAges(StateMachine of, long atMs) {
    ListQueuesDecoder decoder = new ListQueuesDecoder();
    decoder.wrap(new UnsafeBuffer(ListQueues.getDefaultInstance().toByteArray()), 0, 0);
    Map<String, Long> ages = new TreeMap<>();
    of.listQueues(
        new QueueCursor(decoder),
        atMs,
        Integer.MAX_VALUE,
        (name, offset, length, figures) -> {
          if (figures.available() > 0) {
            ages.put(name.getStringWithoutLengthUtf8(offset, length), figures.oldestAgeMs());
          }
          return true;
        });
    return ages;
  }

  /** Every queue with its counts, at a time. */
  final Map<String, Figures> queues(long atMs) {
    ListQueuesDecoder decoder = new ListQueuesDecoder();
    decoder.wrap(new UnsafeBuffer(ListQueues.getDefaultInstance().toByteArray()), 0, 0);
    Map<String, Figures> queues = new TreeMap<>();
    machine.listQueues(
        new QueueCursor(decoder),
        atMs,
        Integer.MAX_VALUE,
        (name, offset, length, figures) -> {
          Figures before =
              queues.put(
                  name.getStringWithoutLengthUtf8(offset, length),
                  new Figures(
                      figures.tasks(),
                      figures.available(),
                      figures.claimed(),
                      figures.held(),
                      figures.future(),
                      figures.claimsMax()));
          return before == null;
        });
    return queues;
  }
}
