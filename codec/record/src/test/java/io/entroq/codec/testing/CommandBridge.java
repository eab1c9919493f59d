package io.entroq.codec.testing;

import static io.entroq.codec.testing.BridgeFields.bytes;
import static io.entroq.codec.testing.BridgeFields.facade;
import static io.entroq.codec.testing.BridgeFields.fill;
import static io.entroq.codec.testing.BridgeFields.id;
import static io.entroq.codec.testing.BridgeFields.text;

import com.google.protobuf.ByteString;
import io.entroq.codec.command.AcknowledgeDecoder;
import io.entroq.codec.command.AcknowledgeEncoder;
import io.entroq.codec.command.CallersGoneDecoder;
import io.entroq.codec.command.CallersGoneEncoder;
import io.entroq.codec.command.CancelDecoder;
import io.entroq.codec.command.CancelEncoder;
import io.entroq.codec.command.ClaimDecoder;
import io.entroq.codec.command.ClaimDocsDecoder;
import io.entroq.codec.command.ClaimDocsEncoder;
import io.entroq.codec.command.ClaimEncoder;
import io.entroq.codec.command.CutDecoder;
import io.entroq.codec.command.CutEncoder;
import io.entroq.codec.command.DocDataDecoder;
import io.entroq.codec.command.DocDataFields;
import io.entroq.codec.command.DocItem;
import io.entroq.codec.command.DocSetDecoder;
import io.entroq.codec.command.FailDecoder;
import io.entroq.codec.command.GenesisDecoder;
import io.entroq.codec.command.GenesisEncoder;
import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.command.ModifyEncoder;
import io.entroq.codec.command.PauseDecoder;
import io.entroq.codec.command.PolicyRefDecoder;
import io.entroq.codec.command.RaiseLevelDecoder;
import io.entroq.codec.command.RaiseLevelEncoder;
import io.entroq.codec.command.TaskDataFields;
import io.entroq.codec.command.TaskItem;
import io.entroq.codec.command.TaskRefDecoder;
import io.entroq.codec.command.TickDecoder;
import io.entroq.codec.message.AttributesDecoder;
import io.entroq.codec.message.AttributesEncoder;
import io.entroq.codec.message.Facades;
import io.entroq.codec.message.IdFields;
import io.entroq.codec.message.PolicyDecoder;
import io.entroq.codec.message.PolicyEncoder;
import io.entroq.codec.message.Slice;
import io.entroq.codec.wire.log.Acknowledge;
import io.entroq.codec.wire.log.Attributes;
import io.entroq.codec.wire.log.CallersGone;
import io.entroq.codec.wire.log.Cancel;
import io.entroq.codec.wire.log.Change;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.ClaimDocs;
import io.entroq.codec.wire.log.Cut;
import io.entroq.codec.wire.log.DocData;
import io.entroq.codec.wire.log.DocRef;
import io.entroq.codec.wire.log.DocSet;
import io.entroq.codec.wire.log.Facade;
import io.entroq.codec.wire.log.Fail;
import io.entroq.codec.wire.log.Genesis;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Identity;
import io.entroq.codec.wire.log.Insert;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.Pause;
import io.entroq.codec.wire.log.Policy;
import io.entroq.codec.wire.log.PolicyRef;
import io.entroq.codec.wire.log.RaiseLevel;
import io.entroq.codec.wire.log.TaskData;
import io.entroq.codec.wire.log.TaskRef;
import io.entroq.codec.wire.log.Tick;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;

/** Commands between the codec and the generated classes. */
final class CommandBridge {
  private final ClaimDecoder claimDecoder = new ClaimDecoder();
  private final ModifyDecoder modifyDecoder = new ModifyDecoder();
  private final ClaimDocsDecoder claimDocsDecoder = new ClaimDocsDecoder();
  private final CancelDecoder cancelDecoder = new CancelDecoder();
  private final CallersGoneDecoder callersGoneDecoder = new CallersGoneDecoder();
  private final AcknowledgeDecoder acknowledgeDecoder = new AcknowledgeDecoder();
  private final TickDecoder tickDecoder = new TickDecoder();
  private final GenesisDecoder genesisDecoder = new GenesisDecoder();
  private final RaiseLevelDecoder raiseLevelDecoder = new RaiseLevelDecoder();
  private final CutDecoder cutDecoder = new CutDecoder();
  private final ClaimEncoder claimEncoder = new ClaimEncoder();
  private final ModifyEncoder modifyEncoder = new ModifyEncoder();
  private final ClaimDocsEncoder claimDocsEncoder = new ClaimDocsEncoder();
  private final DocDataFields docFields = new DocDataFields();
  private final IdFields idFields = new IdFields();
  private final TaskDataFields taskFields = new TaskDataFields();
  private final Slice slice = new Slice();
  private final Slice keySlice = new Slice();

  Claim readClaim(DirectBuffer buffer, int offset, int length) {
    claimDecoder.wrap(buffer, offset, length);
    return toMessage(claimDecoder);
  }

  private static Claim toMessage(ClaimDecoder decoder) {
    Claim.Builder claim = Claim.newBuilder().setFacade(facade(decoder.facade() == Facades.V0));
    if (decoder.hasIdentity()) {
      claim.setIdentity(
          Identity.newBuilder()
              .setClientHigh(decoder.clientHigh())
              .setClientLow(decoder.clientLow())
              .setNumber(decoder.requestNumber())
              .setAckedBelow(decoder.ackedBelow()));
    }
    Id claimant =
        id(
            decoder.buffer(),
            decoder.claimantHigh(),
            decoder.claimantLow(),
            decoder.claimantTextOffset(),
            decoder.claimantTextLength());
    if (!claimant.equals(Id.getDefaultInstance())) {
      claim.setClaimant(claimant);
    }
    for (int i = 0; i < decoder.queueCount(); i++) {
      claim.addQueues(text(decoder.buffer(), decoder.queueOffset(i), decoder.queueLength(i)));
    }
    return claim
        .setLeaseMs(decoder.leaseMs())
        .setDeadlineMs(decoder.deadlineMs())
        .setLimit(decoder.limit())
        .setWait(decoder.waits())
        .build();
  }

  int writeClaim(Claim claim, MutableDirectBuffer buffer, int offset) {
    claimEncoder.wrap(buffer, offset);
    if (claim.hasIdentity()) {
      Identity identity = claim.getIdentity();
      claimEncoder.identity(
          identity.getClientHigh(),
          identity.getClientLow(),
          identity.getNumber(),
          identity.getAckedBelow());
    }
    claimEncoder
        .facade(claim.getFacade() == Facade.FACADE_V0 ? Facades.V0 : Facades.V1)
        .claimant(fill(idFields, claim.getClaimant()));
    for (ByteString queue : claim.getQueuesList().asByteStringList()) {
      claimEncoder.queue(fill(slice, queue));
    }
    return claimEncoder
        .leaseMs(claim.getLeaseMs())
        .deadlineMs(claim.getDeadlineMs())
        .limit(claim.getLimit())
        .waits(claim.getWait())
        .length();
  }

  Modify readModify(DirectBuffer buffer, int offset, int length) {
    ModifyDecoder decoder = modifyDecoder;
    decoder.wrap(buffer, offset, length);
    Modify.Builder modify = Modify.newBuilder().setFacade(facade(decoder.facade() == Facades.V0));
    if (decoder.hasIdentity()) {
      modify.setIdentity(
          Identity.newBuilder()
              .setClientHigh(decoder.clientHigh())
              .setClientLow(decoder.clientLow())
              .setNumber(decoder.requestNumber())
              .setAckedBelow(decoder.ackedBelow()));
    }
    Id claimant =
        id(
            decoder.buffer(),
            decoder.claimantHigh(),
            decoder.claimantLow(),
            decoder.claimantTextOffset(),
            decoder.claimantTextLength());
    if (!claimant.equals(Id.getDefaultInstance())) {
      modify.setClaimant(claimant);
    }
    modify.setQueueTasksMax(decoder.queueTasksMax()).setPoliciesMax(decoder.policiesMax());
    readItems(decoder, modify);
    if (decoder.hasThenClaim()) {
      modify.setThenClaim(toMessage(decoder.thenClaim()));
    }
    return modify.build();
  }

  private static void readItems(ModifyDecoder decoder, Modify.Builder modify) {
    DirectBuffer buffer = decoder.buffer();
    for (int i = 0; i < decoder.insertCount(); i++) {
      TaskItem insert = decoder.insert(i);
      modify.addInserts(
          Insert.newBuilder().setId(itemId(buffer, insert)).setData(data(buffer, insert)));
    }
    for (int i = 0; i < decoder.changeCount(); i++) {
      TaskItem change = decoder.change(i);
      modify.addChanges(
          Change.newBuilder()
              .setId(itemId(buffer, change))
              .setVersion(decoder.change(i).version())
              .setData(data(buffer, change))
              .setModeValue(decoder.change(i).mode())
              .setFromQueue(
                  text(
                      buffer,
                      decoder.change(i).fromQueueOffset(),
                      decoder.change(i).fromQueueLength())));
    }
    for (int i = 0; i < decoder.deleteCount(); i++) {
      modify.addDeletes(taskRef(buffer, decoder.delete(i)));
    }
    for (int i = 0; i < decoder.dependCount(); i++) {
      modify.addDepends(taskRef(buffer, decoder.depend(i)));
    }
    for (int i = 0; i < decoder.docInsertCount(); i++) {
      modify.addDocInserts(docData(buffer, decoder.docInsert(i)));
    }
    for (int i = 0; i < decoder.docChangeCount(); i++) {
      modify.addDocChanges(docData(buffer, decoder.docChange(i)));
    }
    for (int i = 0; i < decoder.docDeleteCount(); i++) {
      modify.addDocDeletes(docRef(buffer, decoder.docDelete(i)));
    }
    for (int i = 0; i < decoder.docDependCount(); i++) {
      modify.addDocDepends(docRef(buffer, decoder.docDepend(i)));
    }
    readPolicies(decoder, modify);
  }

  private static void readPolicies(ModifyDecoder decoder, Modify.Builder modify) {
    DirectBuffer buffer = decoder.buffer();
    for (int i = 0; i < decoder.policyPutCount(); i++) {
      modify.addPolicyPuts(policy(buffer, decoder.policyPut(i)));
    }
    for (int i = 0; i < decoder.policyDeleteCount(); i++) {
      PolicyRefDecoder ref = decoder.policyDelete(i);
      modify.addPolicyDeletes(
          PolicyRef.newBuilder()
              .setKindValue(ref.kind())
              .setName(text(buffer, ref.nameOffset(), ref.nameLength()))
              .setExpectedVersion(ref.expectedVersion()));
    }
    for (int i = 0; i < decoder.pauseCount(); i++) {
      PauseDecoder pause = decoder.pause(i);
      modify.addPauses(
          Pause.newBuilder()
              .setKindValue(pause.kind())
              .setName(text(buffer, pause.nameOffset(), pause.nameLength()))
              .setPauseMs(pause.pauseMs()));
    }
    for (int i = 0; i < decoder.failCount(); i++) {
      FailDecoder fail = decoder.fail(i);
      modify.addFails(
          Fail.newBuilder()
              .setId(
                  id(buffer, fail.idHigh(), fail.idLow(), fail.idTextOffset(), fail.idTextLength()))
              .setVersion(fail.version())
              .setQueue(text(buffer, fail.queueOffset(), fail.queueLength()))
              .setErr(text(buffer, fail.errOffset(), fail.errLength()))
              .setDelayMs(fail.delayMs())
              .setHasDelay(fail.hasDelay()));
    }
  }

  static Policy policy(DirectBuffer buffer, PolicyDecoder policy) {
    Policy.Builder message =
        Policy.newBuilder()
            .setKindValue(policy.kind())
            .setName(text(buffer, policy.nameOffset(), policy.nameLength()))
            .setExpectedVersion(policy.expectedVersion())
            .setRateLimit(policy.rateLimit())
            .setRatePeriodMs(policy.ratePeriodMs())
            .setRateBurst(policy.rateBurst())
            .setInFlightMax(policy.inFlightMax())
            .setRetryBaseMs(policy.retryBaseMs())
            .setRetryFactorMilli(policy.retryFactorMilli())
            .setRetryMaxMs(policy.retryMaxMs())
            .setRetryJitterMilli(policy.retryJitterMilli())
            .setAttemptsMax(policy.attemptsMax())
            .setLapsesMax(policy.lapsesMax())
            .setDeadQueue(text(buffer, policy.deadQueueOffset(), policy.deadQueueLength()))
            .setBreakerFailures(policy.breakerFailures())
            .setBreakerPauseMs(policy.breakerPauseMs())
            .setTtlMs(policy.ttlMs())
            .setExpiredQueue(text(buffer, policy.expiredQueueOffset(), policy.expiredQueueLength()))
            .setTasksMax(policy.tasksMax())
            .setBytesMax(policy.bytesMax())
            .setOverflowValue(policy.overflow())
            .setOrderValue(policy.order())
            .setRememberIdsMs(policy.rememberIdsMs())
            .setFairValue(policy.fair())
            .setPoolDepth(policy.poolDepth())
            .setPoolInFlightMax(policy.poolInFlightMax())
            .setPoolRateLimit(policy.poolRateLimit())
            .setPoolRatePeriodMs(policy.poolRatePeriodMs())
            .setPoolRateBurst(policy.poolRateBurst())
            .setWeight(policy.weight())
            .setRank(policy.rank());
    for (int i = 0; i < policy.groupCount(); i++) {
      message.addGroups(text(buffer, policy.groupOffset(i), policy.groupLength(i)));
    }
    for (int i = 0; i < policy.limiterCount(); i++) {
      message.addLimiters(text(buffer, policy.limiterOffset(i), policy.limiterLength(i)));
    }
    return message.build();
  }

  Policy readPolicy(DirectBuffer buffer, int offset, int length) {
    PolicyDecoder decoder = new PolicyDecoder();
    decoder.wrap(buffer, offset, length);
    return policy(decoder.buffer(), decoder);
  }

  static int writePolicy(Policy policy, MutableDirectBuffer buffer, int offset) {
    Slice text = new Slice();
    PolicyEncoder encoder = new PolicyEncoder().wrap(buffer, offset);
    encoder
        .kind(policy.getKindValue())
        .name(fill(text, policy.getNameBytes()))
        .expectedVersion(policy.getExpectedVersion())
        .rateLimit(policy.getRateLimit())
        .ratePeriodMs(policy.getRatePeriodMs())
        .rateBurst(policy.getRateBurst())
        .inFlightMax(policy.getInFlightMax());
    for (ByteString limiter : policy.getLimitersList().asByteStringList()) {
      encoder.limiter(fill(text, limiter));
    }
    encoder
        .retryBaseMs(policy.getRetryBaseMs())
        .retryFactorMilli(policy.getRetryFactorMilli())
        .retryMaxMs(policy.getRetryMaxMs())
        .retryJitterMilli(policy.getRetryJitterMilli())
        .attemptsMax(policy.getAttemptsMax())
        .lapsesMax(policy.getLapsesMax())
        .deadQueue(fill(text, policy.getDeadQueueBytes()))
        .breakerFailures(policy.getBreakerFailures())
        .breakerPauseMs(policy.getBreakerPauseMs())
        .ttlMs(policy.getTtlMs())
        .expiredQueue(fill(text, policy.getExpiredQueueBytes()))
        .tasksMax(policy.getTasksMax())
        .bytesMax(policy.getBytesMax())
        .overflow(policy.getOverflowValue())
        .order(policy.getOrderValue())
        .rememberIdsMs(policy.getRememberIdsMs())
        .fair(policy.getFairValue())
        .poolDepth(policy.getPoolDepth())
        .poolInFlightMax(policy.getPoolInFlightMax())
        .poolRateLimit(policy.getPoolRateLimit())
        .poolRatePeriodMs(policy.getPoolRatePeriodMs())
        .poolRateBurst(policy.getPoolRateBurst())
        .weight(policy.getWeight())
        .rank(policy.getRank());
    for (ByteString group : policy.getGroupsList().asByteStringList()) {
      encoder.group(fill(text, group));
    }
    return encoder.length();
  }

  Attributes readAttributes(DirectBuffer buffer, int offset, int length) {
    AttributesDecoder decoder = new AttributesDecoder();
    decoder.wrap(buffer, offset, length);
    return Attributes.newBuilder()
        .setExpiresMs(decoder.expiresMs())
        .setTrace(bytes(decoder.buffer(), decoder.traceOffset(), decoder.traceLength()))
        .setLapses(decoder.lapses())
        .setOrigin(text(decoder.buffer(), decoder.originOffset(), decoder.originLength()))
        .setReasonValue(decoder.reason())
        .setDeadAtMs(decoder.deadAtMs())
        .build();
  }

  int writeAttributes(Attributes attributes, MutableDirectBuffer buffer, int offset) {
    return new AttributesEncoder()
        .wrap(buffer, offset)
        .expiresMs(attributes.getExpiresMs())
        .trace(fill(slice, attributes.getTrace()))
        .lapses(attributes.getLapses())
        .origin(fill(keySlice, attributes.getOriginBytes()))
        .reason(attributes.getReasonValue())
        .deadAtMs(attributes.getDeadAtMs())
        .length();
  }

  private static DocData docData(DirectBuffer buffer, DocDataDecoder doc) {
    DocData.Builder data = DocData.newBuilder();
    if ((doc.idHigh() | doc.idLow()) != 0) {
      data.setId(id(buffer, doc.idHigh(), doc.idLow(), doc.idTextOffset(), doc.idTextLength()));
    }
    return data.setNamespace(text(buffer, doc.namespaceOffset(), doc.namespaceLength()))
        .setVersion(doc.version())
        .setKey(text(buffer, doc.keyOffset(), doc.keyLength()))
        .setSecondaryKey(text(buffer, doc.secondaryKeyOffset(), doc.secondaryKeyLength()))
        .setValueKindValue(doc.valueKind())
        .setValue(bytes(buffer, doc.valueOffset(), doc.valueLength()))
        .setArrivalMs(doc.arrivalMs())
        .setByMs(doc.byMs())
        .setModeValue(doc.mode())
        .build();
  }

  private static DocRef docRef(DirectBuffer buffer, DocItem doc) {
    DocRef.Builder ref =
        DocRef.newBuilder()
            .setNamespace(text(buffer, doc.namespaceOffset(), doc.namespaceLength()))
            .setVersion(doc.version())
            .setKey(text(buffer, doc.keyOffset(), doc.keyLength()));
    return (doc.idHigh() | doc.idLow()) == 0
        ? ref.build()
        : ref.setId(id(buffer, doc.idHigh(), doc.idLow(), doc.idTextOffset(), doc.idTextLength()))
            .build();
  }

  private static Id itemId(DirectBuffer buffer, TaskItem item) {
    return id(buffer, item.idHigh(), item.idLow(), item.idTextOffset(), item.idTextLength());
  }

  private static TaskData data(DirectBuffer buffer, TaskItem item) {
    return TaskData.newBuilder()
        .setQueue(text(buffer, item.queueOffset(), item.queueLength()))
        .setArrivalMs(item.arrivalMs())
        .setValueKindValue(item.valueKind())
        .setValue(bytes(buffer, item.valueOffset(), item.valueLength()))
        .setAttempt(item.attempt())
        .setErr(text(buffer, item.errOffset(), item.errLength()))
        .setByMs(item.byMs())
        .setTtlMs(item.ttlMs())
        .setTrace(bytes(buffer, item.traceOffset(), item.traceLength()))
        .build();
  }

  private static TaskRef taskRef(DirectBuffer buffer, TaskRefDecoder ref) {
    return TaskRef.newBuilder()
        .setId(id(buffer, ref.idHigh(), ref.idLow(), ref.idTextOffset(), ref.idTextLength()))
        .setVersion(ref.version())
        .setQueue(text(buffer, ref.queueOffset(), ref.queueLength()))
        .build();
  }

  int writeModify(Modify modify, MutableDirectBuffer buffer, int offset) {
    modifyEncoder.wrap(buffer, offset);
    if (modify.hasIdentity()) {
      Identity identity = modify.getIdentity();
      modifyEncoder.identity(
          identity.getClientHigh(),
          identity.getClientLow(),
          identity.getNumber(),
          identity.getAckedBelow());
    }
    modifyEncoder
        .facade(modify.getFacade() == Facade.FACADE_V0 ? Facades.V0 : Facades.V1)
        .claimant(fill(idFields, modify.getClaimant()));
    for (Insert insert : modify.getInsertsList()) {
      modifyEncoder.insert(fill(idFields, insert.getId()), fields(insert.getData()));
    }
    for (Change change : modify.getChangesList()) {
      modifyEncoder.change(
          fill(idFields, change.getId()),
          change.getVersion(),
          fields(change.getData()),
          change.getModeValue(),
          fill(slice, change.getFromQueueBytes()));
    }
    for (TaskRef ref : modify.getDeletesList()) {
      modifyEncoder.delete(
          fill(idFields, ref.getId()), ref.getVersion(), fill(slice, ref.getQueueBytes()));
    }
    for (TaskRef ref : modify.getDependsList()) {
      modifyEncoder.depend(
          fill(idFields, ref.getId()), ref.getVersion(), fill(slice, ref.getQueueBytes()));
    }
    if (modify.hasThenClaim()) {
      ExpandableArrayBuffer inner = new ExpandableArrayBuffer();
      modifyEncoder.thenClaim(inner, 0, writeClaim(modify.getThenClaim(), inner, 0));
    }
    modify.getDocInsertsList().forEach(doc -> modifyEncoder.docInsert(fields(doc)));
    modify.getDocChangesList().forEach(doc -> modifyEncoder.docChange(fields(doc)));
    for (DocRef ref : modify.getDocDeletesList()) {
      modifyEncoder.docDelete(
          fill(slice, ref.getNamespaceBytes()),
          fill(idFields, ref.getId()),
          ref.getVersion(),
          fill(keySlice, ref.getKeyBytes()));
    }
    for (DocRef ref : modify.getDocDependsList()) {
      modifyEncoder.docDepend(
          fill(slice, ref.getNamespaceBytes()),
          fill(idFields, ref.getId()),
          ref.getVersion(),
          fill(keySlice, ref.getKeyBytes()));
    }
    modifyEncoder.queueTasksMax(modify.getQueueTasksMax());
    writePolicies(modify);
    return modifyEncoder.policiesMax(modify.getPoliciesMax()).length();
  }

  private void writePolicies(Modify modify) {
    for (Policy policy : modify.getPolicyPutsList()) {
      ExpandableArrayBuffer inner = new ExpandableArrayBuffer();
      modifyEncoder.policyPut(inner, 0, writePolicy(policy, inner, 0));
    }
    for (PolicyRef ref : modify.getPolicyDeletesList()) {
      modifyEncoder.policyDelete(
          ref.getKindValue(), fill(slice, ref.getNameBytes()), ref.getExpectedVersion());
    }
    for (Pause pause : modify.getPausesList()) {
      modifyEncoder.pause(
          pause.getKindValue(), fill(slice, pause.getNameBytes()), pause.getPauseMs());
    }
    for (Fail fail : modify.getFailsList()) {
      modifyEncoder.fail(
          fill(idFields, fail.getId()),
          fail.getVersion(),
          fill(slice, fail.getQueueBytes()),
          fill(keySlice, fail.getErrBytes()),
          fail.getDelayMs(),
          fail.getHasDelay());
    }
  }

  private TaskDataFields fields(TaskData data) {
    TaskDataFields fields = taskFields.clear();
    fill(fields.queue(), data.getQueueBytes());
    fill(fields.value(), data.getValue());
    fill(fields.err(), data.getErrBytes());
    fill(fields.trace(), data.getTrace());
    return fields
        .ttlMs(data.getTtlMs())
        .arrivalMs(data.getArrivalMs())
        .valueKind(data.getValueKindValue())
        .attempt(data.getAttempt())
        .byMs(data.getByMs());
  }

  private DocDataFields fields(DocData doc) {
    DocDataFields fields = docFields.clear();
    fill(fields.namespace(), doc.getNamespaceBytes());
    fill(fields.id(), doc.getId());
    fill(fields.key(), doc.getKeyBytes());
    fill(fields.secondaryKey(), doc.getSecondaryKeyBytes());
    fill(fields.value(), doc.getValue());
    return fields
        .version(doc.getVersion())
        .valueKind(doc.getValueKindValue())
        .arrivalMs(doc.getArrivalMs())
        .byMs(doc.getByMs())
        .mode(doc.getModeValue());
  }

  ClaimDocs readClaimDocs(DirectBuffer buffer, int offset, int length) {
    ClaimDocsDecoder decoder = claimDocsDecoder;
    decoder.wrap(buffer, offset, length);
    ClaimDocs.Builder claim =
        ClaimDocs.newBuilder().setFacade(facade(decoder.facade() == Facades.V0));
    if (decoder.hasIdentity()) {
      claim.setIdentity(
          Identity.newBuilder()
              .setClientHigh(decoder.clientHigh())
              .setClientLow(decoder.clientLow())
              .setNumber(decoder.requestNumber())
              .setAckedBelow(decoder.ackedBelow()));
    }
    Id claimant =
        id(
            decoder.buffer(),
            decoder.claimantHigh(),
            decoder.claimantLow(),
            decoder.claimantTextOffset(),
            decoder.claimantTextLength());
    if (!claimant.equals(Id.getDefaultInstance())) {
      claim.setClaimant(claimant);
    }
    DirectBuffer in = decoder.buffer();
    for (int i = 0; i < decoder.setCount(); i++) {
      DocSetDecoder set = decoder.set(i);
      claim.addSets(
          DocSet.newBuilder()
              .setNamespace(text(in, set.namespaceOffset(), set.namespaceLength()))
              .setKey(text(in, set.keyOffset(), set.keyLength()))
              .setOmitMembers(set.omitsMembers()));
    }
    if (decoder.hasTask()) {
      claim.setTask(
          TaskRef.newBuilder()
              .setId(
                  id(
                      in,
                      decoder.taskIdHigh(),
                      decoder.taskIdLow(),
                      decoder.taskIdTextOffset(),
                      decoder.taskIdTextLength()))
              .setVersion(decoder.taskVersion())
              .setQueue(text(in, decoder.taskQueueOffset(), decoder.taskQueueLength())));
    }
    return claim.setLeaseMs(decoder.leaseMs()).build();
  }

  int writeClaimDocs(ClaimDocs claim, MutableDirectBuffer buffer, int offset) {
    claimDocsEncoder.wrap(buffer, offset);
    if (claim.hasIdentity()) {
      Identity identity = claim.getIdentity();
      claimDocsEncoder.identity(
          identity.getClientHigh(),
          identity.getClientLow(),
          identity.getNumber(),
          identity.getAckedBelow());
    }
    claimDocsEncoder
        .facade(claim.getFacade() == Facade.FACADE_V0 ? Facades.V0 : Facades.V1)
        .claimant(fill(idFields, claim.getClaimant()));
    for (DocSet set : claim.getSetsList()) {
      claimDocsEncoder.set(
          fill(slice, set.getNamespaceBytes()),
          fill(keySlice, set.getKeyBytes()),
          set.getOmitMembers());
    }
    claimDocsEncoder.leaseMs(claim.getLeaseMs());
    if (claim.hasTask()) {
      TaskRef task = claim.getTask();
      claimDocsEncoder.task(
          fill(idFields, task.getId()), task.getVersion(), fill(slice, task.getQueueBytes()));
    }
    return claimDocsEncoder.length();
  }

  Cancel readCancel(DirectBuffer buffer, int offset, int length) {
    cancelDecoder.wrap(buffer, offset, length);
    return Cancel.newBuilder()
        .setIdentity(
            Identity.newBuilder()
                .setClientHigh(cancelDecoder.clientHigh())
                .setClientLow(cancelDecoder.clientLow())
                .setNumber(cancelDecoder.requestNumber()))
        .build();
  }

  int writeCancel(Cancel cancel, MutableDirectBuffer buffer, int offset) {
    Identity identity = cancel.getIdentity();
    return new CancelEncoder()
        .wrap(buffer, offset)
        .identity(identity.getClientHigh(), identity.getClientLow(), identity.getNumber(), 0)
        .length();
  }

  Tick readTick(DirectBuffer buffer, int offset, int length) {
    tickDecoder.wrap(buffer, offset, length);
    return Tick.getDefaultInstance();
  }

  CallersGone readCallersGone(DirectBuffer buffer, int offset, int length) {
    callersGoneDecoder.wrap(buffer, offset, length);
    CallersGone.Builder gone = CallersGone.newBuilder().setAll(callersGoneDecoder.all());
    for (int i = 0; i < callersGoneDecoder.clientCount(); i++) {
      gone.addClients(
          Identity.newBuilder()
              .setClientHigh(callersGoneDecoder.client(i).clientHigh())
              .setClientLow(callersGoneDecoder.client(i).clientLow()));
    }
    return gone.build();
  }

  int writeCallersGone(CallersGone gone, MutableDirectBuffer buffer, int offset) {
    CallersGoneEncoder encoder = new CallersGoneEncoder().wrap(buffer, offset).all(gone.getAll());
    for (Identity client : gone.getClientsList()) {
      encoder.client(client.getClientHigh(), client.getClientLow(), 0, 0);
    }
    return encoder.length();
  }

  Acknowledge readAcknowledge(DirectBuffer buffer, int offset, int length) {
    acknowledgeDecoder.wrap(buffer, offset, length);
    Acknowledge.Builder acknowledge = Acknowledge.newBuilder();
    for (int i = 0; i < acknowledgeDecoder.clientCount(); i++) {
      acknowledge.addClients(
          Identity.newBuilder()
              .setClientHigh(acknowledgeDecoder.client(i).clientHigh())
              .setClientLow(acknowledgeDecoder.client(i).clientLow())
              .setAckedBelow(acknowledgeDecoder.client(i).ackedBelow()));
    }
    for (int i = 0; i < acknowledgeDecoder.deliveredCount(); i++) {
      acknowledge.addDelivered(
          Identity.newBuilder()
              .setClientHigh(acknowledgeDecoder.delivered(i).clientHigh())
              .setClientLow(acknowledgeDecoder.delivered(i).clientLow())
              .setNumber(acknowledgeDecoder.delivered(i).requestNumber()));
    }
    return acknowledge.build();
  }

  int writeAcknowledge(Acknowledge acknowledge, MutableDirectBuffer buffer, int offset) {
    AcknowledgeEncoder encoder = new AcknowledgeEncoder().wrap(buffer, offset);
    for (Identity client : acknowledge.getClientsList()) {
      encoder.client(client.getClientHigh(), client.getClientLow(), 0, client.getAckedBelow());
    }
    for (Identity request : acknowledge.getDeliveredList()) {
      encoder.delivered(request.getClientHigh(), request.getClientLow(), request.getNumber(), 0);
    }
    return encoder.length();
  }

  Genesis readGenesis(DirectBuffer buffer, int offset, int length) {
    genesisDecoder.wrap(buffer, offset, length);
    return Genesis.newBuilder()
        .setLogIdHigh(genesisDecoder.logIdHigh())
        .setLogIdLow(genesisDecoder.logIdLow())
        .setSeed(genesisDecoder.seed())
        .setLevel(genesisDecoder.level())
        .setCreatedMs(genesisDecoder.createdMs())
        .build();
  }

  int writeGenesis(Genesis genesis, MutableDirectBuffer buffer, int offset) {
    return new GenesisEncoder()
        .wrap(buffer, offset)
        .logIdHigh(genesis.getLogIdHigh())
        .logIdLow(genesis.getLogIdLow())
        .seed(genesis.getSeed())
        .level(genesis.getLevel())
        .createdMs(genesis.getCreatedMs())
        .length();
  }

  RaiseLevel readRaiseLevel(DirectBuffer buffer, int offset, int length) {
    raiseLevelDecoder.wrap(buffer, offset, length);
    return RaiseLevel.newBuilder().setLevel(raiseLevelDecoder.level()).build();
  }

  int writeRaiseLevel(RaiseLevel raise, MutableDirectBuffer buffer, int offset) {
    return new RaiseLevelEncoder().wrap(buffer, offset).level(raise.getLevel()).length();
  }

  Cut readCut(DirectBuffer buffer, int offset, int length) {
    cutDecoder.wrap(buffer, offset, length);
    return Cut.newBuilder()
        .setAfterSequence(cutDecoder.afterSequence())
        .setSegment(
            text(cutDecoder.buffer(), cutDecoder.segmentOffset(), cutDecoder.segmentLength()))
        .setOffset(cutDecoder.cutOffset())
        .setDroppedBytes(cutDecoder.droppedBytes())
        .build();
  }

  int writeCut(Cut cut, MutableDirectBuffer buffer, int offset) {
    return new CutEncoder()
        .wrap(buffer, offset)
        .afterSequence(cut.getAfterSequence())
        .segment(fill(slice, cut.getSegmentBytes()))
        .cutOffset(cut.getOffset())
        .droppedBytes(cut.getDroppedBytes())
        .length();
  }
}
