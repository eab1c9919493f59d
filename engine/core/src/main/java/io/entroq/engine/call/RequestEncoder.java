package io.entroq.engine.call;

import io.entroq.api.Arrival;
import io.entroq.api.Change;
import io.entroq.api.Claim;
import io.entroq.api.Doc;
import io.entroq.api.DocChange;
import io.entroq.api.DocClaim;
import io.entroq.api.DocInsert;
import io.entroq.api.DocModification;
import io.entroq.api.DocQuery;
import io.entroq.api.DocSet;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.NamespaceQuery;
import io.entroq.api.Policies;
import io.entroq.api.QueueQuery;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.api.TaskRef;
import io.entroq.api.Value;
import io.entroq.codec.command.ClaimDocsEncoder;
import io.entroq.codec.command.ClaimEncoder;
import io.entroq.codec.command.DocDataFields;
import io.entroq.codec.command.ModifyEncoder;
import io.entroq.codec.command.TaskDataFields;
import io.entroq.codec.message.ChangeModes;
import io.entroq.codec.message.IdFields;
import io.entroq.codec.message.Slice;
import io.entroq.codec.message.ValueKinds;
import io.entroq.codec.result.ListDocsEncoder;
import io.entroq.codec.result.ListNamespacesEncoder;
import io.entroq.codec.result.ListPoliciesEncoder;
import io.entroq.codec.result.ListQueuesEncoder;
import io.entroq.codec.result.ListTasksEncoder;
import io.entroq.codec.result.TaskPositionEncoder;
import io.entroq.codec.wire.IdKey;
import io.entroq.codec.wire.Ids;
import io.entroq.codec.wire.Times;
import io.entroq.engine.request.Lane;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Encodes requests of the API. Every method writes to the start of the buffer and returns the
 * length in bytes. One thread at a time; reused.
 */
final class RequestEncoder {
  private static final byte[] EMPTY = new byte[0];

  private final ClaimEncoder claimEncoder = new ClaimEncoder();
  private final ModifyEncoder modifyEncoder = new ModifyEncoder();
  private final ListTasksEncoder listTasksEncoder = new ListTasksEncoder();
  private final ListPoliciesEncoder listPoliciesEncoder = new ListPoliciesEncoder();
  private final TaskPositionEncoder positionEncoder = new TaskPositionEncoder();
  private final ListQueuesEncoder listQueuesEncoder = new ListQueuesEncoder();
  private final ClaimDocsEncoder claimDocsEncoder = new ClaimDocsEncoder();
  private final ListDocsEncoder listDocsEncoder = new ListDocsEncoder();
  private final ListNamespacesEncoder listNamespacesEncoder = new ListNamespacesEncoder();
  private final DocDataFields doc = new DocDataFields();
  private final IdFields id = new IdFields();
  private final TaskDataFields data = new TaskDataFields();
  private final Slice slice = new Slice();
  private final Slice err = new Slice();
  private final PolicyWriter policyWriter = new PolicyWriter();

  /** The last request's claimant; most likely the next one's, too. */
  private String claimant = "";

  private IdKey claimantKey = IdKey.NOBODY;

  int claim(MutableDirectBuffer buffer, Claim claim, String claimant, Lane lane, long deadlineMs) {
    claimEncoder.wrap(buffer, 0);
    if (lane != null) {
      long number = lane.number();
      claimEncoder.identity(lane.clientHigh(), lane.clientLow(), number, number);
    }
    setClaimant(claimant);
    claimEncoder.claimant(id);
    addQueues(claim);
    claimEncoder.leaseMs(claim.leaseMs());
    if (lane != null) {
      claimEncoder.deadlineMs(deadlineMs);
    }
    return claimEncoder.limit(claim.limit()).waits(lane != null).length();
  }

  int modify(
      MutableDirectBuffer buffer,
      Modification modification,
      List<TaskId> insertIds,
      String claimant,
      Lane lane,
      long queueTasksMax,
      int policiesMax) {
    modifyEncoder.wrap(buffer, 0);
    if (lane != null) {
      long number = lane.number();
      modifyEncoder.identity(lane.clientHigh(), lane.clientLow(), number, number);
    }
    setClaimant(claimant);
    modifyEncoder.claimant(id);
    List<Insert> inserts = modification.inserts();
    for (int i = 0; i < inserts.size(); i++) {
      Insert insert = inserts.get(i);
      setData(insert.queue(), insert.arrival(), insert.value(), insert.attempt(), insert.err());
      data.ttlMs(PolicyWriter.ttlMs(insert.timeToLive()));
      data.trace().wrap(utf8(insert.trace()));
      setId(id, insertIds.get(i).key());
      modifyEncoder.insert(id, data);
    }
    for (Change change : modification.changes()) {
      setData(change.queue(), change.arrival(), change.value(), change.attempt(), change.err());
      data.ttlMs(PolicyWriter.ttlMs(change.timeToLive()));
      setRef(change.task());
      modifyEncoder.change(id, change.task().version(), data, mode(change), slice);
    }
    for (TaskRef task : modification.deletes()) {
      setRef(task);
      modifyEncoder.delete(id, task.version(), slice);
    }
    for (TaskRef task : modification.depends()) {
      setRef(task);
      modifyEncoder.depend(id, task.version(), slice);
    }
    if (modification.thenClaim().isPresent()) {
      thenClaim(modification.thenClaim().get());
    }
    addDocs(modification.docs());
    modifyEncoder.queueTasksMax(queueTasksMax);
    policyWriter.write(modification.policies(), modifyEncoder);
    for (Modification.Fail fail : modification.fails()) {
      setRef(fail.task());
      modifyEncoder.fail(
          id,
          fail.task().version(),
          slice,
          err.wrap(utf8(fail.err())),
          fail.delay().map(Times::toMs).orElse(0L),
          fail.delay().isPresent());
    }
    if (PolicyWriter.mayAdd(modification.policies())) {
      modifyEncoder.policiesMax(policiesMax);
    }
    return modifyEncoder.length();
  }

  private void addDocs(DocModification docs) {
    for (DocInsert insert : docs.inserts()) {
      setDoc(new Doc.Id(insert.namespace(), insert.id().orElseThrow()));
      doc.key().wrap(utf8(insert.key()));
      doc.secondaryKey().wrap(utf8(insert.secondaryKey()));
      setDocData(insert.arrival(), insert.value());
      modifyEncoder.docInsert(doc);
    }
    for (DocChange change : docs.changes()) {
      setDoc(change.doc().id());
      doc.version(change.doc().version());
      setDocData(change.arrival(), change.value());
      modifyEncoder.docChange(doc);
    }
    for (DocSet.LeaseChange change : docs.setLeases()) {
      setDocSet(change.set());
      doc.version(change.set().version()).byMs(Times.toMs(change.lease())).mode(ChangeModes.LEASE);
      modifyEncoder.docChange(doc);
    }
    for (Doc.Ref delete : docs.deletes()) {
      setDoc(delete.id());
      modifyEncoder.docDelete(doc.namespace(), doc.id(), delete.version(), doc.key());
    }
    for (Doc.Ref depend : docs.depends()) {
      setDoc(depend.id());
      modifyEncoder.docDepend(doc.namespace(), doc.id(), depend.version(), doc.key());
    }
    for (DocSet.Ref depend : docs.setDepends()) {
      setDocSet(depend);
      modifyEncoder.docDepend(doc.namespace(), doc.id(), depend.version(), doc.key());
    }
  }

  private void setDocSet(DocSet.Ref set) {
    doc.clear();
    doc.namespace().wrap(utf8(set.namespace()));
    doc.key().wrap(utf8(set.key()));
  }

  private void setDoc(Doc.Id docId) {
    doc.clear();
    doc.namespace().wrap(utf8(docId.namespace()));
    setId(doc.id(), Ids.ofV1(docId.id()));
  }

  private void setDocData(Arrival arrival, Value value) {
    doc.arrivalMs(arrivalMs(arrival)).byMs(byMs(arrival));
    doc.valueKind(kind(value));
    doc.value().wrap(value.unwrap());
  }

  int claimDocs(MutableDirectBuffer buffer, DocClaim claim, String claimant) {
    claimDocsEncoder.wrap(buffer, 0);
    setClaimant(claimant);
    claimDocsEncoder.claimant(id);
    for (DocClaim.Target set : claim.sets()) {
      claimDocsEncoder.set(
          doc.namespace().wrap(utf8(set.namespace())), slice.wrap(utf8(set.key())), set.omitDocs());
    }
    if (claim.task().isEmpty()) {
      return claimDocsEncoder.leaseMs(claim.leaseMs()).length();
    }
    TaskRef task = claim.task().get();
    setRef(task);
    return claimDocsEncoder.task(id, task.version(), slice).length();
  }

  int docs(MutableDirectBuffer buffer, DocQuery query) {
    listDocsEncoder.wrap(buffer, 0).namespace(slice.wrap(utf8(query.namespace())));
    for (String each : query.ids()) {
      setId(id, Ids.ofV1(each));
      listDocsEncoder.id(id);
    }
    return listDocsEncoder
        .keyStart(slice.wrap(utf8(query.keyStart())))
        .keyEnd(slice.wrap(utf8(query.keyEnd())))
        .limit(query.limit())
        .omitsValues(query.omitValues())
        .keyExact(slice.wrap(utf8(query.keyExact())))
        .length();
  }

  int namespaces(MutableDirectBuffer buffer, NamespaceQuery query) {
    listNamespacesEncoder.wrap(buffer, 0);
    for (String prefix : query.prefixes()) {
      listNamespacesEncoder.matchPrefix(slice.wrap(utf8(prefix)));
    }
    for (String name : query.names()) {
      listNamespacesEncoder.matchExact(slice.wrap(utf8(name)));
    }
    return listNamespacesEncoder.limit(query.limit()).length();
  }

  int policies(MutableDirectBuffer buffer, Policies.Query query) {
    listPoliciesEncoder.wrap(buffer, 0);
    query.kind().ifPresent(kind -> listPoliciesEncoder.kind(PolicyWriter.kind(kind)));
    return listPoliciesEncoder
        .hasKind(query.kind().isPresent())
        .prefix(slice.wrap(utf8(query.prefix())))
        .limit(query.limit())
        .length();
  }

  int position(MutableDirectBuffer buffer, TaskId task) {
    setId(id, task.key());
    return positionEncoder.wrap(buffer, 0).id(id).length();
  }

  int tasks(MutableDirectBuffer buffer, TaskQuery query) {
    listTasksEncoder.wrap(buffer, 0).queue(slice.wrap(utf8(query.queue())));
    for (TaskId each : query.ids()) {
      setId(id, each.key());
      listTasksEncoder.id(id);
    }
    setClaimant(query.claimant());
    return listTasksEncoder
        .claimant(id)
        .limit(query.limit())
        .omitsValues(query.omitValues())
        .length();
  }

  int queues(MutableDirectBuffer buffer, QueueQuery query, boolean omitStats) {
    listQueuesEncoder.wrap(buffer, 0);
    for (String prefix : query.prefixes()) {
      listQueuesEncoder.matchPrefix(slice.wrap(utf8(prefix)));
    }
    for (String name : query.names()) {
      listQueuesEncoder.matchExact(slice.wrap(utf8(name)));
    }
    return listQueuesEncoder.limit(query.limit()).omitsStats(omitStats).length();
  }

  private void thenClaim(Claim claim) {
    ExpandableArrayBuffer inner = new ExpandableArrayBuffer();
    claimEncoder.wrap(inner, 0);
    addQueues(claim);
    int length = claimEncoder.leaseMs(claim.leaseMs()).limit(claim.limit()).length();
    modifyEncoder.thenClaim(inner, 0, length);
  }

  private void addQueues(Claim claim) {
    for (String queue : claim.queues()) {
      claimEncoder.queue(slice.wrap(utf8(queue)));
    }
  }

  private void setData(String queue, Arrival arrival, Value value, int attempt, String err) {
    data.clear();
    data.queue().wrap(utf8(queue));
    data.arrivalMs(arrivalMs(arrival)).byMs(byMs(arrival));
    data.valueKind(kind(value));
    data.value().wrap(value.unwrap());
    data.attempt(attempt);
    data.err().wrap(utf8(err));
  }

  /** 0, which means now, unless the arrival is a time. */
  private static long arrivalMs(Arrival arrival) {
    return arrival instanceof Arrival.At at ? Times.toMs(at.time()) : 0;
  }

  /** 0, which means now, unless the arrival is a delay. */
  private static long byMs(Arrival arrival) {
    return arrival instanceof Arrival.In in ? Times.toMs(in.delay()) : 0;
  }

  private static int mode(Change change) {
    return switch (change.mode()) {
      case DEFAULT -> ChangeModes.DEFAULT;
      case RESET_CLAIMS -> ChangeModes.RESET_CLAIMS;
      case LEASE -> ChangeModes.LEASE;
      case TAKE_BACK -> ChangeModes.TAKE_BACK;
    };
  }

  private void setClaimant(String text) {
    if (!text.equals(claimant)) {
      claimantKey = Ids.ofV1(text);
      claimant = text;
    }
    setId(id, claimantKey);
  }

  private static void setId(IdFields fields, IdKey key) {
    fields.set(key.high(), key.low());
    if (!key.text().isEmpty()) {
      fields.text().wrap(utf8(key.text()));
    }
  }

  private static int kind(Value value) {
    return switch (value.kind()) {
      case ABSENT -> ValueKinds.ABSENT;
      case BYTES -> ValueKinds.BYTES;
      case JSON -> ValueKinds.JSON;
    };
  }

  private void setRef(TaskRef task) {
    setId(id, task.id().key());
    slice.wrap(utf8(task.queue()));
  }

  private static byte[] utf8(String text) {
    return text.isEmpty() ? EMPTY : text.getBytes(StandardCharsets.UTF_8);
  }
}
