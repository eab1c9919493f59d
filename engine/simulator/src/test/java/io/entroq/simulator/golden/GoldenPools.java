package io.entroq.simulator.golden;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.entroq.codec.wire.log.Change;
import io.entroq.codec.wire.log.ChangeMode;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.Fair;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Identity;
import io.entroq.codec.wire.log.Insert;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.Order;
import io.entroq.codec.wire.log.Pause;
import io.entroq.codec.wire.log.Policy;
import io.entroq.codec.wire.log.PolicyKind;
import io.entroq.codec.wire.log.PolicyRef;
import io.entroq.codec.wire.log.TaskData;
import io.entroq.codec.wire.log.ValueKind;
import java.util.function.ObjLongConsumer;

/**
 * Commands about pools and topics that are unlikely at random, refusals of policies, and tasks
 * taken back.
 */
final class GoldenPools {
  private static final long ID_HIGH = 0x9001;
  private static final long CLIENT = 0x9002;
  private static final long LEASE_MS = 500;
  private static final Id CLAIMANT = Id.newBuilder().setHigh(91).setLow(92).build();

  private static final Id OPERATOR = Id.newBuilder().setHigh(93).setLow(94).build();

  private final ObjLongConsumer<Message> machine;
  private long nowMs;
  private long nextNumber = 1;
  private long nextId = 1;

  GoldenPools(ObjLongConsumer<Message> machine, long nowMs) {
    this.machine = machine;
    this.nowMs = nowMs;
  }

  void play() {
    keys();
    rounds();
    ranks();
    topic();
    refused();
    takenBack();
  }

  /** FIFO groups in two levels of pools, with claims that wait at each level. */
  private void keys() {
    Policy.Builder keys = Policy.newBuilder().setKind(PolicyKind.POLICY_PREFIX).setName("keys/");
    put(keys.setInFlightMax(1).setOrder(Order.ORDER_STRICT));
    put(pool("keys", Fair.FAIR_LEAST_IN_FLIGHT).setPoolDepth(2).setPoolInFlightMax(3));
    for (int i = 0; i < 12; i++) {
      insert("keys/" + "abc".charAt(i % 3) + "/" + i % 2);
    }
    perform(claim("keys").setLimit(5).build());
    perform(claim("keys/b").setIdentity(next()).setWait(true).build());
    perform(claim("keys/c/1", "keys").setIdentity(next()).setWait(true).setLimit(2).build());
    nowMs += LEASE_MS / 2;
    perform(claim("keys/a/0").build());
    nowMs += LEASE_MS;
    perform(claim("keys", "keys/a").setLimit(3).build());
    pause("keys", -1);
    insert("keys/a/0");
    perform(claim("keys").setIdentity(next()).setWait(true).setLimit(2).build());
    nowMs += LEASE_MS;
    pause("keys", 0);
  }

  /** Turns by weight, at a rate. */
  private void rounds() {
    Policy.Builder rounds = pool("rounds", Fair.FAIR_ROUND_ROBIN);
    put(rounds.setPoolRateLimit(10).setPoolRatePeriodMs(100).setPoolRateBurst(6));
    put(Policy.newBuilder().setName("rounds/heavy").setWeight(3));
    for (int i = 0; i < 8; i++) {
      insert("rounds/heavy");
      insert(i % 2 == 0 ? "rounds/light" : "rounds");
    }
    for (int i = 0; i < 4; i++) {
      perform(claim("rounds").setLimit(4).build());
      nowMs += 25;
    }
  }

  private void ranks() {
    put(pool("ranks", Fair.FAIR_STRICT_RANK));
    put(Policy.newBuilder().setName("ranks/high").setRank(2).setWeight(2));
    for (int i = 0; i < 3; i++) {
      insert("ranks/low");
      insert("ranks/high");
    }
    perform(claim("ranks").setLimit(4).build());
    perform(modify().addPolicyDeletes(PolicyRef.newBuilder().setName("ranks")).build());
    perform(claim("ranks").build());
    perform(claim("ranks/low").build());
  }

  /** Copies that are claimed, changed and deleted, one after the other. */
  private void topic() {
    Policy.Builder topic = Policy.newBuilder().setName("news");
    put(topic.addGroups("mail").addGroups("index").addGroups("audit"));
    Modify insertion = modify().setIdentity(next()).addInserts(insertOf("news")).build();
    perform(insertion);
    perform(insertion);
    perform(insertion.toBuilder().clearIdentity().build());
    perform(claim("news", "news/mail").setLimit(2).build());
    insert("news");
    put(pool("news/index", Fair.FAIR_LEAST_IN_FLIGHT));
    perform(claim("news/index").setLimit(2).build());
    perform(claim("news/audit").setLeaseMs(0).build());
    insert("news");
    nowMs += 2 * LEASE_MS;
    perform(claim("news/mail", "news/audit", "news/index").setLimit(9).build());
  }

  private void refused() {
    put(pool("keys/a/0", Fair.FAIR_ROUND_ROBIN).setPoolDepth(2));
    Modify.Builder circle = modify();
    circle.addPolicyPuts(dying("one").setDeadQueue("two"));
    circle.addPolicyPuts(dying("two").setDeadQueue("one"));
    perform(circle.build());
    perform(modify().setPoliciesMax(1).addPolicyPuts(dying("three")).build());
    put(Policy.newBuilder().setName("small").setBytesMax(15));
    insert("small");
    insert("small");
  }

  /** Keys whose tasks are taken back while others wait for them, once more, and from nobody. */
  private void takenBack() {
    long held = nextId;
    insert("keys/d/0");
    insert("keys/d/0");
    perform(claim("keys/d/0").build());
    perform(claim("keys/d").setIdentity(next()).setWait(true).build());
    nowMs += LEASE_MS / 2;
    Modify takeBack = takeBack(held, 1).setIdentity(next()).build();
    perform(takeBack);
    perform(takeBack);
    perform(takeBack(held, 1).build());
    nowMs += 2 * LEASE_MS;
    perform(takeBack(held, 3).build());
    perform(claim("keys/d/0").build());
  }

  private static Modify.Builder takeBack(long id, int version) {
    return Modify.newBuilder()
        .setClaimant(OPERATOR)
        .addChanges(
            Change.newBuilder()
                .setId(id(id))
                .setVersion(version)
                .setFromQueue("keys/d/0")
                .setData(TaskData.newBuilder().setQueue("keys/d/0"))
                .setMode(ChangeMode.CHANGE_TAKE_BACK));
  }

  private static Policy.Builder dying(String name) {
    return Policy.newBuilder().setName(name).setAttemptsMax(1);
  }

  private static Policy.Builder pool(String name, Fair fair) {
    return Policy.newBuilder().setName(name).setFair(fair);
  }

  private void put(Policy.Builder policy) {
    perform(modify().addPolicyPuts(policy).build());
  }

  private void pause(String name, long pauseMs) {
    perform(modify().addPauses(Pause.newBuilder().setName(name).setPauseMs(pauseMs)).build());
  }

  private void insert(String queue) {
    perform(modify().addInserts(insertOf(queue)).build());
  }

  private Insert.Builder insertOf(String queue) {
    TaskData.Builder data =
        TaskData.newBuilder()
            .setQueue(queue)
            .setValueKind(ValueKind.VALUE_BYTES)
            .setValue(ByteString.copyFromUtf8("a value " + nextId));
    return Insert.newBuilder().setId(id(nextId++)).setData(data);
  }

  private static Id id(long low) {
    return Id.newBuilder().setHigh(ID_HIGH).setLow(low).build();
  }

  private static Modify.Builder modify() {
    return Modify.newBuilder().setClaimant(CLAIMANT);
  }

  private static Claim.Builder claim(String... queues) {
    Claim.Builder claim = Claim.newBuilder().setClaimant(CLAIMANT).setLeaseMs(LEASE_MS);
    for (String queue : queues) {
      claim.addQueues(queue);
    }
    return claim;
  }

  private Identity next() {
    return Identity.newBuilder()
        .setClientHigh(CLIENT)
        .setClientLow(CLIENT)
        .setNumber(nextNumber++)
        .setAckedBelow(1)
        .build();
  }

  private void perform(Message command) {
    machine.accept(command, nowMs);
  }
}
