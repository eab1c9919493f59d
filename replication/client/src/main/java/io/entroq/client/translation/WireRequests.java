package io.entroq.client.translation;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.entroq.api.Arrival;
import io.entroq.api.Change;
import io.entroq.api.Claim;
import io.entroq.api.DocChange;
import io.entroq.api.DocClaim;
import io.entroq.api.DocInsert;
import io.entroq.api.DocModification;
import io.entroq.api.DocQuery;
import io.entroq.api.DocSet;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.NamespaceQuery;
import io.entroq.api.Policies;
import io.entroq.api.QueueQuery;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.api.TaskRef;
import io.entroq.api.Value;
import io.entroq.client.transport.ServerFeatures;
import io.entroq.codec.wire.Ids;
import io.entroq.codec.wire.InvalidValueException;
import io.entroq.codec.wire.Times;
import io.entroq.codec.wire.Values;
import io.entroq.codec.wire.edge.ChangeMode;
import io.entroq.codec.wire.edge.ClaimDocsRequest;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.DocData;
import io.entroq.codec.wire.edge.DocID;
import io.entroq.codec.wire.edge.DocsRequest;
import io.entroq.codec.wire.edge.ListPoliciesRequest;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.NamespacesRequest;
import io.entroq.codec.wire.edge.PositionRequest;
import io.entroq.codec.wire.edge.QueuesRequest;
import io.entroq.codec.wire.edge.TaskChange;
import io.entroq.codec.wire.edge.TaskData;
import io.entroq.codec.wire.edge.TaskFail;
import io.entroq.codec.wire.edge.TaskID;
import io.entroq.codec.wire.edge.TasksRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Converts requests of the API to messages of protocol 2. Fields from 100 on are extensions, which
 * other servers refuse: they are set only if the server's features include them. Any thread.
 */
public final class WireRequests {
  /** How often servers that cannot wait poll for a task. */
  private static final long POLL_MS = 30_000;

  /** An arrival longer ago than this means now. */
  private static final long LONG_AGO_MS = TimeUnit.DAYS.toMillis(365);

  private final String claimant;
  private final ServerFeatures features;
  private final LongSupplier serverMs;

  /**
   * @param claimant of requests that do not name one
   * @param features of the server
   * @param serverMs the server's time, in milliseconds since the epoch
   */
  public WireRequests(String claimant, ServerFeatures features, LongSupplier serverMs) {
    this.claimant = claimant;
    this.features = features;
    this.serverMs = serverMs;
  }

  /** A claim request without identity. */
  public ClaimRequest.Builder claim(Claim claim) {
    return terms(claim).setClaimantId(orDefault(claim.claimant())).setPollMs(POLL_MS);
  }

  private ClaimRequest.Builder terms(Claim claim) {
    return ClaimRequest.newBuilder()
        .addAllQueues(claim.queues())
        .setDurationMs(claim.leaseMs())
        .setLimit(features.hasLimit() ? claim.limit() : 0)
        .setRawValues(features.hasRawValues());
  }

  /**
   * A Modify request without identity. All inserts get an id here, so that a repeated request is
   * equal.
   *
   * @throws EntroQException.InvalidArgument if a JSON value is not valid JSON
   */
  public ModifyRequest.Builder modify(Modification modification) {
    long nowMs = serverMs.getAsLong();
    ModifyRequest.Builder request =
        ModifyRequest.newBuilder()
            .setClaimantId(orDefault(modification.claimant()))
            .setRawValues(features.hasRawValues());
    modification.inserts().forEach(insert -> request.addInserts(insert(insert, nowMs)));
    modification.changes().forEach(change -> request.addChanges(change(change, nowMs)));
    modification.deletes().forEach(task -> request.addDeletes(ref(task)));
    modification.depends().forEach(task -> request.addDepends(ref(task)));
    modification.fails().forEach(fail -> request.addFails(fail(fail)));
    modification.policies().forEach(write -> WirePolicies.add(write, request));
    docs(modification.docs(), request, nowMs);
    if (features.hasThenClaim()) {
      modification.thenClaim().ifPresent(claim -> request.setThenClaim(terms(claim)));
    }
    return request;
  }

  private TaskData.Builder insert(Insert insert, long nowMs) {
    String id = insert.id().map(TaskId::text).orElseGet(() -> Ids.randomV1().v1Text());
    return data(insert.queue(), insert.arrival(), insert.value(), nowMs)
        .setId(id)
        .setAttempt(insert.attempt())
        .setErr(insert.err())
        .setTtlMs(ttlMs(insert.timeToLive()))
        .setTrace(insert.trace());
  }

  private TaskChange.Builder change(Change change, long nowMs) {
    return TaskChange.newBuilder()
        .setOldId(ref(change.task()))
        .setMode(mode(change))
        .setNewData(
            data(change.queue(), change.arrival(), change.value(), nowMs)
                .setAttempt(change.attempt())
                .setErr(change.err())
                .setTtlMs(ttlMs(change.timeToLive())));
  }

  /** A time to live: -1 for never, 0 if there is none. */
  private static long ttlMs(Optional<Duration> time) {
    return time.map(set -> set.equals(Claim.FOREVER) ? -1 : Times.toMs(set)).orElse(0L);
  }

  private static TaskFail.Builder fail(Modification.Fail fail) {
    TaskFail.Builder message = TaskFail.newBuilder().setId(ref(fail.task())).setErr(fail.err());
    fail.delay().ifPresent(delay -> message.setDelayMs(Times.toMs(delay)));
    return message;
  }

  private static ChangeMode mode(Change change) {
    return switch (change.mode()) {
      case DEFAULT -> ChangeMode.CHANGE_DEFAULT;
      case RESET_CLAIMS -> ChangeMode.CHANGE_RESET_CLAIMS;
      case LEASE -> ChangeMode.CHANGE_LEASE;
      case TAKE_BACK -> ChangeMode.CHANGE_TAKE_BACK;
    };
  }

  private TaskData.Builder data(String queue, Arrival arrival, Value value, long nowMs) {
    TaskData.Builder data = TaskData.newBuilder().setQueue(queue).setByMs(byMs(arrival, nowMs));
    if (isRaw(value)) {
      data.setRaw(bytes(value));
    } else if (!value.isAbsent()) {
      data.setValue(json(value));
    }
    return data;
  }

  /** The arrival as a delay, since protocol 2 has no other; zero stands for now. */
  private static long byMs(Arrival arrival, long nowMs) {
    if (arrival instanceof Arrival.In in) {
      return Times.toMs(in.delay());
    }
    if (arrival instanceof Arrival.At at) {
      long atMs = Times.toMs(at.time());
      return atMs < nowMs - LONG_AGO_MS ? 0 : atMs - nowMs;
    }
    return 0;
  }

  private static TaskID.Builder ref(TaskRef task) {
    return TaskID.newBuilder()
        .setId(task.id().text())
        .setVersion(task.version())
        .setQueue(task.queue());
  }

  private void docs(DocModification docs, ModifyRequest.Builder request, long nowMs) {
    docs.inserts().forEach(insert -> request.addDocInserts(docInsert(insert, nowMs)));
    docs.changes().forEach(change -> request.addDocChanges(docChange(change, nowMs)));
    docs.setLeases().forEach(change -> request.addDocChanges(setLease(change)));
    docs.deletes().forEach(doc -> request.addDocDeletes(WireDocs.id(doc)));
    docs.depends().forEach(doc -> request.addDocDepends(WireDocs.id(doc)));
    docs.setDepends().forEach(set -> request.addDocDepends(WireDocs.id(set)));
  }

  private DocData.Builder docInsert(DocInsert insert, long nowMs) {
    return content(insert.value())
        .setNamespace(insert.namespace())
        .setId(insert.id().orElseGet(() -> Ids.randomV1().v1Text()))
        .setKey(insert.key())
        .setSecondaryKey(insert.secondaryKey())
        .setByMs(byMs(insert.arrival(), nowMs));
  }

  private io.entroq.codec.wire.edge.DocChange.Builder docChange(DocChange change, long nowMs) {
    DocID.Builder id = WireDocs.id(change.doc());
    return io.entroq.codec.wire.edge.DocChange.newBuilder()
        .setOldId(id)
        .setNewData(
            content(change.value())
                .setNamespace(id.getNamespace())
                .setId(id.getId())
                .setByMs(byMs(change.arrival(), nowMs)));
  }

  private static io.entroq.codec.wire.edge.DocChange.Builder setLease(DocSet.LeaseChange change) {
    return io.entroq.codec.wire.edge.DocChange.newBuilder()
        .setOldId(WireDocs.id(change.set()))
        .setMode(ChangeMode.CHANGE_LEASE)
        .setNewData(DocData.newBuilder().setByMs(Times.toMs(change.lease())));
  }

  private DocData.Builder content(Value value) {
    DocData.Builder data = DocData.newBuilder();
    if (isRaw(value)) {
      data.setRaw(bytes(value));
    } else if (!value.isAbsent()) {
      data.setContent(json(value));
    }
    return data;
  }

  private boolean isRaw(Value value) {
    return value.kind() == Value.Kind.BYTES && features.hasRawValues();
  }

  private static ByteString bytes(Value value) {
    return UnsafeByteOperations.unsafeWrap(value.unwrap());
  }

  private static ByteString json(Value value) {
    return value.kind() == Value.Kind.BYTES
        ? UnsafeByteOperations.unsafeWrap(Values.toV1(value.unwrap()))
        : checked(value);
  }

  private static ByteString checked(Value value) {
    try {
      Values.check(value.unwrap(), 0, value.size());
    } catch (InvalidValueException e) {
      throw new EntroQException.InvalidArgument("value: " + e.getMessage(), e);
    }
    return bytes(value);
  }

  public TasksRequest tasks(TaskQuery query) {
    TasksRequest.Builder request =
        TasksRequest.newBuilder()
            .setClaimantId(query.claimant())
            .setQueue(query.queue())
            .setLimit(query.limit())
            .setOmitValues(query.omitValues())
            .setRawValues(features.hasRawValues());
    query.ids().forEach(id -> request.addTaskId(id.text()));
    return request.build();
  }

  public static PositionRequest position(TaskId task) {
    return PositionRequest.newBuilder().setTaskId(task.text()).build();
  }

  public QueuesRequest queues(QueueQuery query) {
    return QueuesRequest.newBuilder()
        .addAllMatchPrefix(query.prefixes())
        .addAllMatchExact(query.names())
        .setLimit(query.limit())
        .build();
  }

  public DocsRequest docs(DocQuery query) {
    DocsRequest.Builder request = DocsRequest.newBuilder();
    request
        .getQueryBuilder()
        .setNamespace(query.namespace())
        .addAllIds(query.ids())
        .setKeyStart(query.keyStart())
        .setKeyEnd(query.keyEnd())
        .setKeyExact(query.keyExact())
        .setLimit(query.limit())
        .setOmitValues(query.omitValues())
        .setRawValues(features.hasRawValues());
    return request.build();
  }

  public ClaimDocsRequest claimDocs(DocClaim claim) {
    io.entroq.codec.wire.edge.DocClaim.Builder query =
        io.entroq.codec.wire.edge.DocClaim.newBuilder()
            .setClaimant(orDefault(claim.claimant()))
            .setRawValues(features.hasRawValues());
    for (DocClaim.Target set : claim.sets()) {
      query
          .addSetsBuilder()
          .setSet(DocID.newBuilder().setNamespace(set.namespace()).setKey(set.key()))
          .setOmitMembers(set.omitDocs());
    }
    if (claim.task().isPresent()) {
      query.setTaskToMatch(ref(claim.task().get()));
    } else {
      query.setDurationMs(claim.leaseMs());
    }
    return ClaimDocsRequest.newBuilder().setClaimQuery(query).build();
  }

  public ListPoliciesRequest policies(Policies.Query query) {
    ListPoliciesRequest.Builder request =
        ListPoliciesRequest.newBuilder().setPrefix(query.prefix()).setLimit(query.limit());
    query.kind().ifPresent(kind -> request.setKind(WirePolicies.kind(kind)));
    return request.build();
  }

  public NamespacesRequest namespaces(NamespaceQuery query) {
    return NamespacesRequest.newBuilder()
        .addAllMatchPrefix(query.prefixes())
        .addAllMatchExact(query.names())
        .setLimit(query.limit())
        .build();
  }

  private String orDefault(String requested) {
    return requested.isEmpty() ? claimant : requested;
  }
}
