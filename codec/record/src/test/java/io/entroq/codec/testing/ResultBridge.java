package io.entroq.codec.testing;

import static io.entroq.codec.testing.BridgeFields.bytes;
import static io.entroq.codec.testing.BridgeFields.facade;
import static io.entroq.codec.testing.BridgeFields.fill;
import static io.entroq.codec.testing.BridgeFields.id;
import static io.entroq.codec.testing.BridgeFields.text;

import com.google.protobuf.ByteString;
import io.entroq.codec.message.Facades;
import io.entroq.codec.message.IdDecoder;
import io.entroq.codec.message.IdFields;
import io.entroq.codec.message.Slice;
import io.entroq.codec.result.DocDecoder;
import io.entroq.codec.result.DocFields;
import io.entroq.codec.result.FailureDecoder;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ListDocsDecoder;
import io.entroq.codec.result.ListDocsEncoder;
import io.entroq.codec.result.ListNamespacesDecoder;
import io.entroq.codec.result.ListNamespacesEncoder;
import io.entroq.codec.result.ListPoliciesDecoder;
import io.entroq.codec.result.ListPoliciesEncoder;
import io.entroq.codec.result.ListQueuesDecoder;
import io.entroq.codec.result.ListQueuesEncoder;
import io.entroq.codec.result.ListTasksDecoder;
import io.entroq.codec.result.ListTasksEncoder;
import io.entroq.codec.result.NamespaceStatsDecoder;
import io.entroq.codec.result.PolicyStateDecoder;
import io.entroq.codec.result.PolicyStateEncoder;
import io.entroq.codec.result.QueueStatsDecoder;
import io.entroq.codec.result.QueueStatsFields;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.codec.result.ResultEncoder;
import io.entroq.codec.result.TaskDecoder;
import io.entroq.codec.result.TaskFields;
import io.entroq.codec.result.TaskPositionDecoder;
import io.entroq.codec.result.TaskPositionEncoder;
import io.entroq.codec.wire.log.Doc;
import io.entroq.codec.wire.log.Facade;
import io.entroq.codec.wire.log.Failure;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Item;
import io.entroq.codec.wire.log.ListDocs;
import io.entroq.codec.wire.log.ListNamespaces;
import io.entroq.codec.wire.log.ListPolicies;
import io.entroq.codec.wire.log.ListQueues;
import io.entroq.codec.wire.log.ListTasks;
import io.entroq.codec.wire.log.NamespaceStats;
import io.entroq.codec.wire.log.PolicyState;
import io.entroq.codec.wire.log.QueueStats;
import io.entroq.codec.wire.log.Result;
import io.entroq.codec.wire.log.Task;
import io.entroq.codec.wire.log.TaskPosition;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;

/** Results and questions between the codec and the generated classes. */
final class ResultBridge {
  private final ResultDecoder resultDecoder = new ResultDecoder();
  private final ListTasksDecoder listTasksDecoder = new ListTasksDecoder();
  private final ListQueuesDecoder listQueuesDecoder = new ListQueuesDecoder();
  private final ListDocsDecoder listDocsDecoder = new ListDocsDecoder();
  private final ListNamespacesDecoder listNamespacesDecoder = new ListNamespacesDecoder();
  private final ResultEncoder resultEncoder = new ResultEncoder();
  private final TaskFields taskFields = new TaskFields();
  private final DocFields docFields = new DocFields();
  private final QueueStatsFields queueFields = new QueueStatsFields();
  private final IdFields idFields = new IdFields();
  private final Slice slice = new Slice();

  Result readResult(DirectBuffer buffer, int offset, int length) {
    ResultDecoder decoder = resultDecoder;
    decoder.wrap(buffer, offset, length);
    Result.Builder result =
        Result.newBuilder()
            .setCodeValue(decoder.code())
            .setSequence(decoder.sequence())
            .setLogTimeMs(decoder.logTimeMs())
            .setDetail(text(decoder.buffer(), decoder.detailOffset(), decoder.detailLength()));
    if (decoder.itemKind() != ItemKinds.NONE || decoder.itemIndex() != 0) {
      result.setItem(
          Item.newBuilder().setItemKindValue(decoder.itemKind()).setIndex(decoder.itemIndex()));
    }
    result.setQueueTasks(decoder.queueTasks()).setQueueTasksMax(decoder.queueTasksMax());
    result
        .setPosition(decoder.position())
        .setReady(decoder.isReady())
        .setExpectedStartMs(decoder.expectedStartMs());
    readItems(decoder, result);
    return result.build();
  }

  private static void readItems(ResultDecoder decoder, Result.Builder result) {
    DirectBuffer buffer = decoder.buffer();
    for (int i = 0; i < decoder.claimedCount(); i++) {
      result.addClaimed(task(buffer, decoder.claimed(i)));
    }
    for (int i = 0; i < decoder.insertedCount(); i++) {
      result.addInserted(task(buffer, decoder.inserted(i)));
    }
    for (int i = 0; i < decoder.changedCount(); i++) {
      result.addChanged(task(buffer, decoder.changed(i)));
    }
    for (int i = 0; i < decoder.failureCount(); i++) {
      result.addFailures(failure(buffer, decoder.failure(i)));
    }
    for (int i = 0; i < decoder.taskCount(); i++) {
      result.addTasks(task(buffer, decoder.task(i)));
    }
    for (int i = 0; i < decoder.queueCount(); i++) {
      result.addQueues(queueStats(buffer, decoder.queue(i)));
    }
    for (int i = 0; i < decoder.docCount(); i++) {
      result.addDocs(doc(buffer, decoder.doc(i)));
    }
    for (int i = 0; i < decoder.setCount(); i++) {
      result.addSets(doc(buffer, decoder.set(i)));
    }
    for (int i = 0; i < decoder.namespaceCount(); i++) {
      NamespaceStatsDecoder namespace = decoder.namespace(i);
      result.addNamespaces(
          NamespaceStats.newBuilder()
              .setName(text(buffer, namespace.nameOffset(), namespace.nameLength()))
              .setDocs(namespace.docs())
              .setClaimed(namespace.claimed()));
    }
    for (int i = 0; i < decoder.failedCount(); i++) {
      result.addFailed(task(buffer, decoder.failed(i)));
    }
    for (int i = 0; i < decoder.policyCount(); i++) {
      result.addPolicies(policy(buffer, decoder.policy(i)));
    }
  }

  private static PolicyState policy(DirectBuffer buffer, PolicyStateDecoder policy) {
    return PolicyState.newBuilder()
        .setPolicy(CommandBridge.policy(buffer, policy.policy()))
        .setHasRules(policy.hasRules())
        .setVersion(policy.version())
        .setPausedUntilMs(policy.pausedUntilMs())
        .setInFlight(policy.inFlight())
        .setNextStartMs(policy.nextStartMs())
        .build();
  }

  PolicyState readPolicyState(DirectBuffer buffer, int offset, int length) {
    PolicyStateDecoder decoder = new PolicyStateDecoder();
    decoder.wrap(buffer, offset, length);
    return policy(decoder.buffer(), decoder);
  }

  int writePolicyState(PolicyState policy, MutableDirectBuffer buffer, int offset) {
    ExpandableArrayBuffer inner = new ExpandableArrayBuffer();
    int length = CommandBridge.writePolicy(policy.getPolicy(), inner, 0);
    return new PolicyStateEncoder()
        .wrap(buffer, offset)
        .policy(inner, 0, length)
        .hasRules(policy.getHasRules())
        .version(policy.getVersion())
        .pausedUntilMs(policy.getPausedUntilMs())
        .inFlight(policy.getInFlight())
        .nextStartMs(policy.getNextStartMs())
        .length();
  }

  private static Task task(DirectBuffer buffer, TaskDecoder decoder) {
    Task.Builder task =
        Task.newBuilder()
            .setId(
                id(
                    buffer,
                    decoder.idHigh(),
                    decoder.idLow(),
                    decoder.idTextOffset(),
                    decoder.idTextLength()))
            .setVersion(decoder.version())
            .setQueue(text(buffer, decoder.queueOffset(), decoder.queueLength()))
            .setArrivalMs(decoder.arrivalMs())
            .setValueKindValue(decoder.valueKind())
            .setValue(bytes(buffer, decoder.valueOffset(), decoder.valueLength()))
            .setCreatedMs(decoder.createdMs())
            .setModifiedMs(decoder.modifiedMs())
            .setClaims(decoder.claims())
            .setAttempt(decoder.attempt())
            .setErr(text(buffer, decoder.errOffset(), decoder.errLength()))
            .setInFlight(decoder.inFlight())
            .setLapses(decoder.lapses())
            .setExpiresMs(decoder.expiresMs())
            .setOrigin(text(buffer, decoder.originOffset(), decoder.originLength()))
            .setReasonValue(decoder.reason())
            .setDeadAtMs(decoder.deadAtMs())
            .setTrace(bytes(buffer, decoder.traceOffset(), decoder.traceLength()));
    Id claimant =
        id(
            buffer,
            decoder.claimantHigh(),
            decoder.claimantLow(),
            decoder.claimantTextOffset(),
            decoder.claimantTextLength());
    return claimant.equals(Id.getDefaultInstance())
        ? task.build()
        : task.setClaimant(claimant).build();
  }

  private static Doc doc(DirectBuffer buffer, DocDecoder decoder) {
    Doc.Builder doc =
        Doc.newBuilder()
            .setNamespace(text(buffer, decoder.namespaceOffset(), decoder.namespaceLength()))
            .setVersion(decoder.version())
            .setDocs(decoder.docs())
            .setArrivalMs(decoder.arrivalMs())
            .setKey(text(buffer, decoder.keyOffset(), decoder.keyLength()))
            .setSecondaryKey(
                text(buffer, decoder.secondaryKeyOffset(), decoder.secondaryKeyLength()))
            .setValueKindValue(decoder.valueKind())
            .setValue(bytes(buffer, decoder.valueOffset(), decoder.valueLength()))
            .setCreatedMs(decoder.createdMs())
            .setModifiedMs(decoder.modifiedMs());
    Id claimant =
        id(
            buffer,
            decoder.claimantHigh(),
            decoder.claimantLow(),
            decoder.claimantTextOffset(),
            decoder.claimantTextLength());
    if (!claimant.equals(Id.getDefaultInstance())) {
      doc.setClaimant(claimant);
    }
    Id id =
        id(
            buffer,
            decoder.idHigh(),
            decoder.idLow(),
            decoder.idTextOffset(),
            decoder.idTextLength());
    return id.equals(Id.getDefaultInstance()) ? doc.build() : doc.setId(id).build();
  }

  private static Failure failure(DirectBuffer buffer, FailureDecoder decoder) {
    Failure.Builder failure =
        Failure.newBuilder()
            .setItemKindValue(decoder.itemKind())
            .setIndex(decoder.index())
            .setClaimed(decoder.claimed())
            .setExistingVersion(decoder.existingVersion())
            .setExistingName(
                text(buffer, decoder.existingNameOffset(), decoder.existingNameLength()));
    Id id =
        id(
            buffer,
            decoder.existingIdHigh(),
            decoder.existingIdLow(),
            decoder.existingIdTextOffset(),
            decoder.existingIdTextLength());
    return id.equals(Id.getDefaultInstance()) ? failure.build() : failure.setExistingId(id).build();
  }

  private static QueueStats queueStats(DirectBuffer buffer, QueueStatsDecoder decoder) {
    return QueueStats.newBuilder()
        .setName(text(buffer, decoder.nameOffset(), decoder.nameLength()))
        .setTasks(decoder.tasks())
        .setAvailable(decoder.available())
        .setClaimed(decoder.claimed())
        .setHeld(decoder.held())
        .setFuture(decoder.future())
        .setMaxClaims(decoder.maxClaims())
        .setOldestAgeMs(decoder.oldestAgeMs())
        .setInFlight(decoder.inFlight())
        .setPausedUntilMs(decoder.pausedUntilMs())
        .setNextStartMs(decoder.nextStartMs())
        .setClaimable(decoder.claimable())
        .setLapsed(decoder.lapsed())
        .setDead(decoder.dead())
        .setBytes(decoder.bytes())
        .build();
  }

  int writeResult(Result result, MutableDirectBuffer buffer, int offset) {
    ResultEncoder encoder =
        resultEncoder
            .wrap(buffer, offset)
            .code(result.getCodeValue())
            .sequence(result.getSequence())
            .logTimeMs(result.getLogTimeMs());
    result.getClaimedList().forEach(task -> encoder.claimed(fields(task)));
    result.getInsertedList().forEach(task -> encoder.inserted(fields(task)));
    result.getChangedList().forEach(task -> encoder.changed(fields(task)));
    for (Failure failure : result.getFailuresList()) {
      encoder.failure(
          failure.getItemKindValue(),
          failure.getIndex(),
          failure.getClaimed(),
          failure.getExistingVersion(),
          fill(slice, failure.getExistingNameBytes()),
          fill(idFields, failure.getExistingId()));
    }
    if (result.hasItem()) {
      encoder.item(result.getItem().getItemKindValue(), result.getItem().getIndex());
    }
    encoder.detail(fill(slice, result.getDetailBytes()));
    result.getTasksList().forEach(task -> encoder.task(fields(task)));
    result.getQueuesList().forEach(queue -> encoder.queue(fields(queue)));
    encoder.queueTasks(result.getQueueTasks()).queueTasksMax(result.getQueueTasksMax());
    result.getDocsList().forEach(doc -> encoder.doc(fields(doc)));
    for (NamespaceStats namespace : result.getNamespacesList()) {
      encoder.namespace(
          fill(slice, namespace.getNameBytes()), namespace.getDocs(), namespace.getClaimed());
    }
    result.getSetsList().forEach(set -> encoder.set(fields(set)));
    result.getFailedList().forEach(task -> encoder.failed(fields(task)));
    for (PolicyState policy : result.getPoliciesList()) {
      ExpandableArrayBuffer inner = new ExpandableArrayBuffer();
      encoder.policy(inner, 0, writePolicyState(policy, inner, 0));
    }
    return encoder
        .position(result.getPosition())
        .isReady(result.getReady())
        .expectedStartMs(result.getExpectedStartMs())
        .length();
  }

  private DocFields fields(Doc doc) {
    DocFields fields = docFields.clear();
    fill(fields.namespace(), doc.getNamespaceBytes());
    fill(fields.id(), doc.getId());
    fill(fields.claimant(), doc.getClaimant());
    fill(fields.key(), doc.getKeyBytes());
    fill(fields.secondaryKey(), doc.getSecondaryKeyBytes());
    fill(fields.value(), doc.getValue());
    return fields
        .version(doc.getVersion())
        .docs(doc.getDocs())
        .arrivalMs(doc.getArrivalMs())
        .valueKind(doc.getValueKindValue())
        .createdMs(doc.getCreatedMs())
        .modifiedMs(doc.getModifiedMs());
  }

  private TaskFields fields(Task task) {
    TaskFields fields = taskFields.clear();
    fill(fields.id(), task.getId());
    fill(fields.queue(), task.getQueueBytes());
    fill(fields.claimant(), task.getClaimant());
    fill(fields.value(), task.getValue());
    fill(fields.err(), task.getErrBytes());
    fill(fields.origin(), task.getOriginBytes());
    fill(fields.trace(), task.getTrace());
    return fields
        .inFlight(task.getInFlight())
        .lapses(task.getLapses())
        .expiresMs(task.getExpiresMs())
        .reason(task.getReasonValue())
        .deadAtMs(task.getDeadAtMs())
        .version(task.getVersion())
        .arrivalMs(task.getArrivalMs())
        .valueKind(task.getValueKindValue())
        .createdMs(task.getCreatedMs())
        .modifiedMs(task.getModifiedMs())
        .claims(task.getClaims())
        .attempt(task.getAttempt());
  }

  private QueueStatsFields fields(QueueStats queue) {
    QueueStatsFields fields = queueFields.clear();
    fill(fields.name(), queue.getNameBytes());
    return fields
        .tasks(queue.getTasks())
        .available(queue.getAvailable())
        .claimed(queue.getClaimed())
        .held(queue.getHeld())
        .future(queue.getFuture())
        .maxClaims(queue.getMaxClaims())
        .oldestAgeMs(queue.getOldestAgeMs())
        .inFlight(queue.getInFlight())
        .pausedUntilMs(queue.getPausedUntilMs())
        .nextStartMs(queue.getNextStartMs())
        .claimable(queue.getClaimable())
        .lapsed(queue.getLapsed())
        .dead(queue.getDead())
        .bytes(queue.getBytes());
  }

  ListTasks readListTasks(DirectBuffer buffer, int offset, int length) {
    ListTasksDecoder decoder = listTasksDecoder;
    decoder.wrap(buffer, offset, length);
    ListTasks.Builder list =
        ListTasks.newBuilder()
            .setQueue(text(decoder.buffer(), decoder.queueOffset(), decoder.queueLength()))
            .setLimit(decoder.limit())
            .setOmitValues(decoder.omitsValues())
            .setFacade(facade(decoder.facade() == Facades.V0));
    for (int i = 0; i < decoder.idCount(); i++) {
      list.addIds(
          id(
              decoder.buffer(),
              decoder.id(i).high(),
              decoder.id(i).low(),
              decoder.id(i).textOffset(),
              decoder.id(i).textLength()));
    }
    Id claimant =
        id(
            decoder.buffer(),
            decoder.claimantHigh(),
            decoder.claimantLow(),
            decoder.claimantTextOffset(),
            decoder.claimantTextLength());
    return claimant.equals(Id.getDefaultInstance())
        ? list.build()
        : list.setClaimant(claimant).build();
  }

  int writeListTasks(ListTasks list, MutableDirectBuffer buffer, int offset) {
    ListTasksEncoder encoder =
        new ListTasksEncoder().wrap(buffer, offset).queue(fill(slice, list.getQueueBytes()));
    for (Id id : list.getIdsList()) {
      encoder.id(fill(idFields, id));
    }
    return encoder
        .claimant(fill(idFields, list.getClaimant()))
        .limit(list.getLimit())
        .omitsValues(list.getOmitValues())
        .facade(list.getFacade() == Facade.FACADE_V0 ? Facades.V0 : Facades.V1)
        .length();
  }

  ListDocs readListDocs(DirectBuffer buffer, int offset, int length) {
    ListDocsDecoder decoder = listDocsDecoder;
    decoder.wrap(buffer, offset, length);
    DirectBuffer in = decoder.buffer();
    ListDocs.Builder list =
        ListDocs.newBuilder()
            .setNamespace(text(in, decoder.namespaceOffset(), decoder.namespaceLength()))
            .setKeyStart(text(in, decoder.keyStartOffset(), decoder.keyStartLength()))
            .setKeyEnd(text(in, decoder.keyEndOffset(), decoder.keyEndLength()))
            .setKeyExact(text(in, decoder.keyExactOffset(), decoder.keyExactLength()))
            .setLimit(decoder.limit())
            .setOmitValues(decoder.omitsValues());
    for (int i = 0; i < decoder.idCount(); i++) {
      IdDecoder id = decoder.id(i);
      list.addIds(id(in, id.high(), id.low(), id.textOffset(), id.textLength()));
    }
    return list.build();
  }

  int writeListDocs(ListDocs list, MutableDirectBuffer buffer, int offset) {
    ListDocsEncoder encoder =
        new ListDocsEncoder().wrap(buffer, offset).namespace(fill(slice, list.getNamespaceBytes()));
    for (Id id : list.getIdsList()) {
      encoder.id(fill(idFields, id));
    }
    return encoder
        .keyStart(fill(slice, list.getKeyStartBytes()))
        .keyEnd(fill(slice, list.getKeyEndBytes()))
        .limit(list.getLimit())
        .omitsValues(list.getOmitValues())
        .keyExact(fill(slice, list.getKeyExactBytes()))
        .length();
  }

  ListNamespaces readListNamespaces(DirectBuffer buffer, int offset, int length) {
    ListNamespacesDecoder decoder = listNamespacesDecoder;
    decoder.wrap(buffer, offset, length);
    ListNamespaces.Builder list = ListNamespaces.newBuilder().setLimit(decoder.limit());
    for (int i = 0; i < decoder.matchPrefixCount(); i++) {
      list.addMatchPrefix(
          text(decoder.buffer(), decoder.matchPrefixOffset(i), decoder.matchPrefixLength(i)));
    }
    for (int i = 0; i < decoder.matchExactCount(); i++) {
      list.addMatchExact(
          text(decoder.buffer(), decoder.matchExactOffset(i), decoder.matchExactLength(i)));
    }
    return list.build();
  }

  int writeListNamespaces(ListNamespaces list, MutableDirectBuffer buffer, int offset) {
    ListNamespacesEncoder encoder = new ListNamespacesEncoder().wrap(buffer, offset);
    for (ByteString prefix : list.getMatchPrefixList().asByteStringList()) {
      encoder.matchPrefix(fill(slice, prefix));
    }
    for (ByteString exact : list.getMatchExactList().asByteStringList()) {
      encoder.matchExact(fill(slice, exact));
    }
    return encoder.limit(list.getLimit()).length();
  }

  ListQueues readListQueues(DirectBuffer buffer, int offset, int length) {
    ListQueuesDecoder decoder = listQueuesDecoder;
    decoder.wrap(buffer, offset, length);
    ListQueues.Builder list =
        ListQueues.newBuilder().setLimit(decoder.limit()).setOmitStats(decoder.omitsStats());
    for (int i = 0; i < decoder.matchPrefixCount(); i++) {
      list.addMatchPrefix(
          text(decoder.buffer(), decoder.matchPrefixOffset(i), decoder.matchPrefixLength(i)));
    }
    for (int i = 0; i < decoder.matchExactCount(); i++) {
      list.addMatchExact(
          text(decoder.buffer(), decoder.matchExactOffset(i), decoder.matchExactLength(i)));
    }
    return list.build();
  }

  int writeListQueues(ListQueues list, MutableDirectBuffer buffer, int offset) {
    ListQueuesEncoder encoder = new ListQueuesEncoder().wrap(buffer, offset);
    for (ByteString prefix : list.getMatchPrefixList().asByteStringList()) {
      encoder.matchPrefix(fill(slice, prefix));
    }
    for (ByteString exact : list.getMatchExactList().asByteStringList()) {
      encoder.matchExact(fill(slice, exact));
    }
    return encoder.limit(list.getLimit()).omitsStats(list.getOmitStats()).length();
  }

  ListPolicies readListPolicies(DirectBuffer buffer, int offset, int length) {
    ListPoliciesDecoder decoder = new ListPoliciesDecoder();
    decoder.wrap(buffer, offset, length);
    return ListPolicies.newBuilder()
        .setKindValue(decoder.kind())
        .setHasKind(decoder.hasKind())
        .setPrefix(text(decoder.buffer(), decoder.prefixOffset(), decoder.prefixLength()))
        .setLimit(decoder.limit())
        .build();
  }

  int writeListPolicies(ListPolicies list, MutableDirectBuffer buffer, int offset) {
    return new ListPoliciesEncoder()
        .wrap(buffer, offset)
        .kind(list.getKindValue())
        .hasKind(list.getHasKind())
        .prefix(fill(slice, list.getPrefixBytes()))
        .limit(list.getLimit())
        .length();
  }

  TaskPosition readTaskPosition(DirectBuffer buffer, int offset, int length) {
    TaskPositionDecoder decoder = new TaskPositionDecoder();
    decoder.wrap(buffer, offset, length);
    return TaskPosition.newBuilder()
        .setId(
            id(
                decoder.buffer(),
                decoder.idHigh(),
                decoder.idLow(),
                decoder.idTextOffset(),
                decoder.idTextLength()))
        .setQueue(text(decoder.buffer(), decoder.queueOffset(), decoder.queueLength()))
        .build();
  }

  int writeTaskPosition(TaskPosition position, MutableDirectBuffer buffer, int offset) {
    return new TaskPositionEncoder()
        .wrap(buffer, offset)
        .id(fill(idFields, position.getId()))
        .queue(fill(slice, position.getQueueBytes()))
        .length();
  }
}
