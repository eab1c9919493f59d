package io.entroq.codec.testing;

import com.google.protobuf.ByteString;
import io.entroq.codec.wire.log.Acknowledge;
import io.entroq.codec.wire.log.Attributes;
import io.entroq.codec.wire.log.CallersGone;
import io.entroq.codec.wire.log.Cancel;
import io.entroq.codec.wire.log.Change;
import io.entroq.codec.wire.log.ChangeMode;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.ClaimDocs;
import io.entroq.codec.wire.log.Cut;
import io.entroq.codec.wire.log.DeadReason;
import io.entroq.codec.wire.log.Doc;
import io.entroq.codec.wire.log.DocData;
import io.entroq.codec.wire.log.DocRef;
import io.entroq.codec.wire.log.DocSet;
import io.entroq.codec.wire.log.Facade;
import io.entroq.codec.wire.log.Fail;
import io.entroq.codec.wire.log.Failure;
import io.entroq.codec.wire.log.Fair;
import io.entroq.codec.wire.log.Genesis;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Identity;
import io.entroq.codec.wire.log.Insert;
import io.entroq.codec.wire.log.Item;
import io.entroq.codec.wire.log.ItemKind;
import io.entroq.codec.wire.log.ListDocs;
import io.entroq.codec.wire.log.ListNamespaces;
import io.entroq.codec.wire.log.ListPolicies;
import io.entroq.codec.wire.log.ListQueues;
import io.entroq.codec.wire.log.ListTasks;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.NamespaceStats;
import io.entroq.codec.wire.log.Order;
import io.entroq.codec.wire.log.Overflow;
import io.entroq.codec.wire.log.Pause;
import io.entroq.codec.wire.log.Policy;
import io.entroq.codec.wire.log.PolicyKind;
import io.entroq.codec.wire.log.PolicyRef;
import io.entroq.codec.wire.log.PolicyState;
import io.entroq.codec.wire.log.QueueStats;
import io.entroq.codec.wire.log.RaiseLevel;
import io.entroq.codec.wire.log.Result;
import io.entroq.codec.wire.log.ResultCode;
import io.entroq.codec.wire.log.Task;
import io.entroq.codec.wire.log.TaskData;
import io.entroq.codec.wire.log.TaskPosition;
import io.entroq.codec.wire.log.TaskRef;
import io.entroq.codec.wire.log.ValueKind;
import java.util.Random;

/** Valid messages of every kind, with a liking for edges. */
final class RandomMessages {
  private static final String[] LETTERS = {"a", "7", "/", "ü", "€", "\uD83D\uDE00", "\u0000", " "};

  private RandomMessages() {}

  static Claim claim(Random random) {
    Claim.Builder claim = Claim.newBuilder().setFacade(facade(random)).setLeaseMs(positive(random));
    for (int i = count(random) + 1; i > 0; i--) {
      claim.addQueues(name(random));
    }
    if (random.nextBoolean()) {
      claim.setIdentity(identity(random)).setWait(random.nextBoolean());
    }
    if (random.nextBoolean()) {
      claim.setClaimant(somebody(random));
    }
    return claim.setDeadlineMs(positive(random)).setLimit(random.nextInt(1001)).build();
  }

  static Modify modify(Random random) {
    Modify.Builder modify = Modify.newBuilder().setFacade(facade(random));
    if (random.nextBoolean()) {
      modify.setIdentity(identity(random));
    }
    if (random.nextBoolean()) {
      modify.setClaimant(somebody(random));
    }
    for (int i = count(random); i > 0; i--) {
      modify.addInserts(Insert.newBuilder().setId(somebody(random)).setData(taskData(random)));
    }
    for (int i = count(random); i > 0; i--) {
      modify.addChanges(change(random));
    }
    for (int i = count(random); i > 0; i--) {
      modify.addDeletes(taskRef(random));
    }
    for (int i = count(random); i > 0; i--) {
      modify.addDepends(taskRef(random));
    }
    if (random.nextInt(4) == 0) {
      modify.setThenClaim(
          claim(random).toBuilder()
              .clearIdentity()
              .clearFacade()
              .clearClaimant()
              .clearDeadlineMs()
              .clearWait());
    }
    for (int i = count(random); i > 0; i--) {
      DocData doc = docData(random);
      modify.addDocChanges(doc);
      modify.addDocInserts(doc.toBuilder().clearVersion());
    }
    for (int i = count(random); i > 0; i--) {
      modify.addDocDeletes(docRef(random)).addDocDepends(docRef(random));
    }
    for (int i = count(random); i > 0; i--) {
      modify.addDocChanges(
          DocData.newBuilder()
              .setNamespace(name(random))
              .setKey(name(random))
              .setVersion(version(random))
              .setByMs(number(random))
              .setMode(ChangeMode.CHANGE_LEASE));
      modify.addDocDepends(docRef(random).toBuilder().clearId().setKey(name(random)));
    }
    if (random.nextInt(3) == 0) {
      modify.setQueueTasksMax(positive(random));
    }
    for (int i = count(random); i > 0; i--) {
      modify.addPolicyPuts(policy(random)).addPolicyDeletes(policyRef(random));
    }
    for (int i = count(random); i > 0; i--) {
      modify.addPauses(
          Pause.newBuilder()
              .setKind(policyKind(random))
              .setName(name(random))
              .setPauseMs(positive(random) - 1));
      modify.addFails(fail(random));
    }
    if (random.nextInt(3) == 0) {
      modify.setPoliciesMax(random.nextInt());
    }
    return modify.build();
  }

  private static PolicyRef policyRef(Random random) {
    return PolicyRef.newBuilder()
        .setKind(policyKind(random))
        .setName(name(random))
        .setExpectedVersion(version(random))
        .build();
  }

  private static Fail fail(Random random) {
    return Fail.newBuilder()
        .setId(somebody(random))
        .setVersion(version(random))
        .setQueue(random.nextBoolean() ? "" : name(random))
        .setErr(text(random, 30))
        .setDelayMs(positive(random))
        .setHasDelay(random.nextBoolean())
        .build();
  }

  static Policy policy(Random random) {
    Policy.Builder policy =
        Policy.newBuilder()
            .setName(name(random))
            .setExpectedVersion(random.nextInt(4) - 1)
            .setInFlightMax(version(random));
    if (random.nextBoolean()) {
      policy
          .setRateLimit(1 + random.nextInt(1000))
          .setRatePeriodMs(1 + random.nextInt(86_400_000))
          .setRateBurst(random.nextInt(1_000_001));
    }
    if (random.nextInt(4) == 0) {
      return policy.setKind(PolicyKind.POLICY_LIMITER).build();
    }
    policy
        .setKindValue(random.nextInt(2))
        .setRetryBaseMs(duration(random))
        .setRetryFactorMilli(random.nextBoolean() ? 0 : 1_000 + random.nextInt(99_001))
        .setRetryMaxMs(duration(random))
        .setRetryJitterMilli(random.nextInt(1_001))
        .setAttemptsMax(version(random))
        .setLapsesMax(version(random))
        .setTtlMs(duration(random))
        .setTasksMax(positive(random))
        .setBytesMax(positive(random))
        .setRememberIdsMs(duration(random))
        .setOverflow(Overflow.forNumber(random.nextInt(2)))
        .setOrder(Order.forNumber(random.nextInt(policy.getInFlightMax() == 1 ? 3 : 2)));
    for (int i = random.nextInt(5); i > 0; i--) {
      policy.addLimiters(i + name(random).substring(1));
    }
    if (random.nextBoolean()) {
      policy.setDeadQueue(policy.getName().substring(1));
      policy.setExpiredQueue("gone");
    }
    if (random.nextBoolean()) {
      policy.setBreakerFailures(1 + random.nextInt(100)).setBreakerPauseMs(1 + duration(random));
    }
    policy.setWeight(random.nextInt(1_025)).setRank(version(random));
    if (policy.getKind() == PolicyKind.POLICY_QUEUE) {
      addMembers(random, policy);
    }
    return policy.build();
  }

  /** A pool, a topic or neither. */
  private static void addMembers(Random random, Policy.Builder policy) {
    if (policy.getNameBytes().size() < 1_000 && random.nextBoolean()) {
      for (int i = random.nextInt(5); i > 0; i--) {
        policy.addGroups(i + "g");
      }
      return;
    }
    policy
        .setFair(Fair.forNumber(1 + random.nextInt(3)))
        .setPoolDepth(random.nextInt(4))
        .setPoolInFlightMax(version(random));
    if (random.nextBoolean()) {
      policy
          .setPoolRateLimit(1 + random.nextInt(1000))
          .setPoolRatePeriodMs(1 + random.nextInt(86_400_000))
          .setPoolRateBurst(random.nextInt(1_000_001));
    }
  }

  static Attributes attributes(Random random) {
    return Attributes.newBuilder()
        .setExpiresMs(number(random))
        .setTrace(trace(random))
        .setLapses(random.nextInt())
        .setOrigin(text(random, 20))
        .setReason(deadReason(random))
        .setDeadAtMs(number(random))
        .build();
  }

  private static long duration(Random random) {
    return random.nextBoolean() ? 0 : (long) (random.nextDouble() * 31_622_399_999L);
  }

  private static PolicyKind policyKind(Random random) {
    return PolicyKind.forNumber(random.nextInt(3));
  }

  private static DeadReason deadReason(Random random) {
    return DeadReason.forNumber(random.nextInt(5));
  }

  private static ByteString trace(Random random) {
    byte[] trace = new byte[random.nextInt(65)];
    random.nextBytes(trace);
    return ByteString.copyFrom(trace);
  }

  static ClaimDocs claimDocs(Random random) {
    ClaimDocs.Builder claim =
        ClaimDocs.newBuilder().setFacade(facade(random)).addSets(docSet(random));
    for (int i = count(random); i > 0; i--) {
      claim.addSets(docSet(random));
    }
    if (random.nextBoolean()) {
      claim.setTask(taskRef(random));
    } else {
      claim.setLeaseMs(positive(random));
    }
    if (random.nextBoolean()) {
      claim.setIdentity(identity(random));
    }
    if (random.nextBoolean()) {
      claim.setClaimant(somebody(random));
    }
    return claim.build();
  }

  private static Change change(Random random) {
    Change.Builder change =
        Change.newBuilder()
            .setId(somebody(random))
            .setVersion(version(random))
            .setFromQueue(name(random));
    TaskData data = taskData(random);
    TaskData.Builder leased = TaskData.newBuilder().setQueue(data.getQueue());
    return switch (random.nextInt(6)) {
      case 0 ->
          change.setMode(ChangeMode.CHANGE_LEASE).setData(leased.setByMs(data.getByMs())).build();
      case 1 -> change.setMode(ChangeMode.CHANGE_TAKE_BACK).setData(leased).build();
      default -> change.setModeValue(random.nextInt(2)).setData(data).build();
    };
  }

  private static DocSet docSet(Random random) {
    return DocSet.newBuilder()
        .setNamespace(name(random))
        .setKey(name(random))
        .setOmitMembers(random.nextBoolean())
        .build();
  }

  static Cancel cancel(Random random) {
    return Cancel.newBuilder().setIdentity(identity(random).toBuilder().clearAckedBelow()).build();
  }

  static CallersGone callersGone(Random random) {
    CallersGone.Builder gone = CallersGone.newBuilder();
    if (random.nextInt(4) == 0) {
      return gone.setAll(true).build();
    }
    for (int i = count(random); i > 0; i--) {
      gone.addClients(identity(random).toBuilder().clearNumber().clearAckedBelow());
    }
    return gone.build();
  }

  static Acknowledge acknowledge(Random random) {
    Acknowledge.Builder acknowledge = Acknowledge.newBuilder();
    for (int i = count(random); i > 0; i--) {
      acknowledge.addClients(identity(random).toBuilder().clearNumber());
    }
    for (int i = count(random); i > 0; i--) {
      acknowledge.addDelivered(identity(random).toBuilder().clearAckedBelow());
    }
    return acknowledge.build();
  }

  static Genesis genesis(Random random) {
    return Genesis.newBuilder()
        .setLogIdHigh(number(random))
        .setLogIdLow(number(random))
        .setSeed(number(random))
        .setLevel(1 + random.nextInt(Integer.MAX_VALUE))
        .setCreatedMs(number(random))
        .build();
  }

  static RaiseLevel raiseLevel(Random random) {
    return RaiseLevel.newBuilder().setLevel(1 + random.nextInt(Integer.MAX_VALUE)).build();
  }

  static Cut cut(Random random) {
    return Cut.newBuilder()
        .setAfterSequence(positive(random))
        .setSegment(text(random, 40))
        .setOffset(positive(random))
        .setDroppedBytes(positive(random))
        .build();
  }

  static Result result(Random random) {
    Result.Builder result =
        Result.newBuilder()
            .setCode(ResultCode.forNumber(random.nextInt(23)))
            .setSequence(positive(random))
            .setLogTimeMs(number(random))
            .setDetail(text(random, 50));
    for (int i = count(random); i > 0; i--) {
      result.addClaimed(task(random));
    }
    for (int i = count(random); i > 0; i--) {
      result.addInserted(task(random)).addChanged(task(random));
    }
    for (int i = count(random); i > 0; i--) {
      result.addFailures(failure(random));
    }
    if (random.nextInt(4) == 0) {
      result.setItem(
          Item.newBuilder().setItemKind(itemKind(random)).setIndex(random.nextInt()).build());
    }
    for (int i = count(random); i > 0; i--) {
      result.addTasks(task(random)).addQueues(queueStats(random));
    }
    if (random.nextInt(4) == 0) {
      result.setQueueTasks(positive(random)).setQueueTasksMax(positive(random));
    }
    for (int i = count(random); i > 0; i--) {
      result.addDocs(doc(random)).addSets(doc(random));
      result.addNamespaces(
          NamespaceStats.newBuilder()
              .setName(text(random, 20))
              .setDocs(positive(random))
              .setClaimed(positive(random)));
    }
    for (int i = count(random); i > 0; i--) {
      result.addFailed(task(random)).addPolicies(policyState(random));
    }
    if (random.nextInt(4) == 0) {
      result.setPosition(positive(random) - 1).setReady(random.nextBoolean());
      result.setExpectedStartMs(number(random));
    }
    return result.build();
  }

  static PolicyState policyState(Random random) {
    return PolicyState.newBuilder()
        .setPolicy(policy(random))
        .setHasRules(random.nextBoolean())
        .setVersion(random.nextInt())
        .setPausedUntilMs(number(random))
        .setInFlight(random.nextInt())
        .setNextStartMs(number(random))
        .build();
  }

  static ListPolicies listPolicies(Random random) {
    return ListPolicies.newBuilder()
        .setKind(policyKind(random))
        .setHasKind(random.nextBoolean())
        .setPrefix(text(random, 20))
        .setLimit(random.nextInt(20) - 10)
        .build();
  }

  static TaskPosition taskPosition(Random random) {
    return TaskPosition.newBuilder().setId(somebody(random)).setQueue(text(random, 20)).build();
  }

  static ListTasks listTasks(Random random) {
    ListTasks.Builder list =
        ListTasks.newBuilder()
            .setQueue(text(random, 20))
            .setLimit(random.nextInt(20) - 10)
            .setOmitValues(random.nextBoolean())
            .setFacade(facade(random));
    for (int i = count(random); i > 0; i--) {
      list.addIds(somebody(random));
    }
    if (random.nextBoolean()) {
      list.setClaimant(somebody(random));
    }
    return list.build();
  }

  static ListDocs listDocs(Random random) {
    ListDocs.Builder list =
        ListDocs.newBuilder()
            .setNamespace(text(random, 20))
            .setKeyStart(text(random, 20))
            .setKeyEnd(text(random, 20))
            .setLimit(random.nextInt(20) - 10)
            .setOmitValues(random.nextBoolean())
            .setKeyExact(text(random, 20));
    for (int i = count(random); i > 0; i--) {
      list.addIds(somebody(random));
    }
    return list.build();
  }

  static ListNamespaces listNamespaces(Random random) {
    ListNamespaces.Builder list = ListNamespaces.newBuilder().setLimit(random.nextInt(20) - 10);
    for (int i = count(random); i > 0; i--) {
      list.addMatchPrefix(text(random, 10)).addMatchExact(text(random, 10));
    }
    return list.build();
  }

  static ListQueues listQueues(Random random) {
    ListQueues.Builder list =
        ListQueues.newBuilder()
            .setLimit(random.nextInt(20) - 10)
            .setOmitStats(random.nextBoolean());
    for (int i = count(random); i > 0; i--) {
      list.addMatchPrefix(text(random, 10)).addMatchExact(text(random, 10));
    }
    return list.build();
  }

  private static Task task(Random random) {
    Task.Builder task =
        Task.newBuilder()
            .setId(somebody(random))
            .setVersion(random.nextInt())
            .setQueue(text(random, 20))
            .setArrivalMs(number(random))
            .setCreatedMs(number(random))
            .setModifiedMs(number(random))
            .setClaims(random.nextInt())
            .setAttempt(random.nextInt())
            .setErr(text(random, 20))
            .setInFlight(random.nextBoolean())
            .setLapses(random.nextInt())
            .setExpiresMs(number(random))
            .setOrigin(text(random, 20))
            .setReason(deadReason(random))
            .setDeadAtMs(number(random))
            .setTrace(trace(random));
    if (random.nextBoolean()) {
      task.setClaimant(somebody(random));
    }
    if (random.nextBoolean()) {
      task.setValueKindValue(1 + random.nextInt(2)).setValue(bytes(random));
    }
    return task.build();
  }

  private static Doc doc(Random random) {
    Doc.Builder doc =
        Doc.newBuilder()
            .setNamespace(text(random, 20))
            .setVersion(random.nextInt())
            .setDocs(random.nextInt())
            .setArrivalMs(number(random))
            .setKey(text(random, 20))
            .setSecondaryKey(text(random, 20))
            .setCreatedMs(number(random))
            .setModifiedMs(number(random));
    if (random.nextBoolean()) {
      doc.setClaimant(somebody(random));
    }
    if (random.nextInt(3) > 0) {
      doc.setId(somebody(random));
    }
    if (random.nextBoolean()) {
      doc.setValueKindValue(1 + random.nextInt(2)).setValue(bytes(random));
    }
    return doc.build();
  }

  private static Failure failure(Random random) {
    Failure.Builder failure = Failure.newBuilder();
    if (random.nextBoolean()) {
      failure.setExistingId(somebody(random));
    }
    return failure
        .setItemKind(itemKind(random))
        .setIndex(random.nextInt())
        .setClaimed(random.nextBoolean())
        .setExistingVersion(version(random))
        .setExistingName(text(random, 10))
        .build();
  }

  private static QueueStats queueStats(Random random) {
    return QueueStats.newBuilder()
        .setName(text(random, 20))
        .setTasks(positive(random))
        .setAvailable(positive(random))
        .setClaimed(positive(random))
        .setHeld(positive(random))
        .setFuture(positive(random))
        .setMaxClaims(random.nextInt())
        .setOldestAgeMs(positive(random))
        .setInFlight(positive(random))
        .setPausedUntilMs(number(random))
        .setNextStartMs(number(random))
        .setClaimable(positive(random))
        .setLapsed(positive(random))
        .setDead(positive(random))
        .setBytes(positive(random))
        .build();
  }

  private static TaskData taskData(Random random) {
    TaskData.Builder data =
        TaskData.newBuilder()
            .setQueue(name(random))
            .setArrivalMs(number(random))
            .setAttempt(random.nextBoolean() ? 0 : random.nextInt())
            .setErr(text(random, 30))
            .setByMs(number(random))
            .setTtlMs(positive(random) - 1)
            .setTrace(trace(random));
    if (random.nextBoolean()) {
      data.setValueKind(random.nextBoolean() ? ValueKind.VALUE_BYTES : ValueKind.VALUE_JSON)
          .setValue(bytes(random));
    }
    return data.build();
  }

  private static TaskRef taskRef(Random random) {
    return TaskRef.newBuilder()
        .setId(somebody(random))
        .setVersion(version(random))
        .setQueue(random.nextBoolean() ? "" : name(random))
        .build();
  }

  private static DocData docData(Random random) {
    DocData.Builder doc =
        DocData.newBuilder()
            .setNamespace(name(random))
            .setId(somebody(random))
            .setVersion(version(random))
            .setKey(text(random, 20))
            .setSecondaryKey(text(random, 20))
            .setArrivalMs(number(random))
            .setByMs(number(random));
    if (random.nextBoolean()) {
      doc.setValueKindValue(1 + random.nextInt(2)).setValue(bytes(random));
    }
    return doc.build();
  }

  private static DocRef docRef(Random random) {
    return DocRef.newBuilder()
        .setNamespace(name(random))
        .setId(somebody(random))
        .setVersion(version(random))
        .build();
  }

  private static Identity identity(Random random) {
    long number = Math.max(1, positive(random));
    return Identity.newBuilder()
        .setClientHigh(random.nextBoolean() ? 0 : random.nextLong())
        .setClientLow(1 + Math.abs(random.nextInt(1000)))
        .setNumber(number)
        .setAckedBelow(Math.max(1, number - random.nextInt(1000)))
        .build();
  }

  private static Id somebody(Random random) {
    Id.Builder id = Id.newBuilder().setHigh(number(random)).setLow(1 + positive(random) / 2);
    return random.nextInt(4) == 0 ? id.setText(name(random)).build() : id.build();
  }

  private static Facade facade(Random random) {
    return random.nextBoolean() ? Facade.FACADE_V0 : Facade.FACADE_V1;
  }

  private static ItemKind itemKind(Random random) {
    return ItemKind.forNumber(random.nextInt(14));
  }

  private static int count(Random random) {
    return random.nextInt(3) == 0 ? random.nextInt(6) : random.nextInt(2);
  }

  private static int version(Random random) {
    return random.nextBoolean() ? 0 : random.nextInt(Integer.MAX_VALUE);
  }

  /** All bit lengths are equally likely. */
  private static long number(Random random) {
    long value = random.nextLong() >>> random.nextInt(64);
    return switch (random.nextInt(4)) {
      case 0 -> 0;
      case 1 -> -value;
      default -> value;
    };
  }

  private static long positive(Random random) {
    return number(random) & Long.MAX_VALUE;
  }

  private static String name(Random random) {
    return random.nextInt(50) == 0 ? "x".repeat(1024) : "q" + text(random, 30);
  }

  private static String text(Random random, int lettersMax) {
    StringBuilder text = new StringBuilder();
    boolean isAscii = random.nextBoolean();
    for (int i = random.nextInt(lettersMax + 1); i > 0; i--) {
      text.append(LETTERS[random.nextInt(isAscii ? 3 : LETTERS.length)]);
    }
    return text.toString();
  }

  private static ByteString bytes(Random random) {
    byte[] bytes = new byte[random.nextInt(8) == 0 ? random.nextInt(5000) : random.nextInt(60)];
    random.nextBytes(bytes);
    return ByteString.copyFrom(bytes);
  }
}
