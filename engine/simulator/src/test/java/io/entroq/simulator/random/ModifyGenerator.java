package io.entroq.simulator.random;

import com.google.protobuf.ByteString;
import io.entroq.codec.wire.log.Change;
import io.entroq.codec.wire.log.ChangeMode;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.Facade;
import io.entroq.codec.wire.log.Fail;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Insert;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.Task;
import io.entroq.codec.wire.log.TaskData;
import io.entroq.codec.wire.log.TaskRef;
import io.entroq.codec.wire.log.ValueKind;
import io.entroq.engine.state.Levels;
import java.util.List;

/** Draws Modifies: most could commit, many fail in one of many ways. */
final class ModifyGenerator {
  private static final int SWEEP_MAX = 60;

  private final Dice dice;
  private final Clockwork clock;
  private final RandomContents contents;
  private final IdPool ids;
  private final PolicyGenerator policies;
  private final WatchedMachine machine;

  ModifyGenerator(
      Dice dice,
      Clockwork clock,
      RandomContents contents,
      IdPool ids,
      PolicyGenerator policies,
      WatchedMachine machine) {
    this.dice = dice;
    this.clock = clock;
    this.contents = contents;
    this.ids = ids;
    this.policies = policies;
    this.machine = machine;
  }

  Modify.Builder next() {
    Modify.Builder modify = Modify.newBuilder();
    if (dice.percent(30)) {
      modify.setFacade(Facade.FACADE_V0);
    }
    for (int i = dice.skewedBelow(4); i > 0; i--) {
      modify.addInserts(insert());
    }
    boolean isV0 = modify.getFacade() == Facade.FACADE_V0;
    for (int i = dice.skewedBelow(4); i > 0; i--) {
      modify.addChanges(change(isV0));
    }
    for (int i = dice.skewedBelow(4); i > 0; i--) {
      modify.addDeletes(ref(isV0));
    }
    for (int i = dice.skewedBelow(3); i > 0; i--) {
      modify.addDepends(ref(isV0));
    }
    if (policies.isUsed() && dice.oneIn(3)) {
      modify.addFails(fail());
    }
    if (policies.isNext()) {
      writePolicies(modify);
    }
    if (dice.oneIn(5)) {
      modify.setThenClaim(thenClaim());
    }
    if (dice.oneIn(60)) {
      repeatOne(modify);
    }
    modify.setClaimant(claimant(modify));
    return modify.getFacade() == Facade.FACADE_V0 ? withoutTexts(modify) : modify;
  }

  /** Only one kind of item, so that it is likely to commit. */
  Modify.Builder simple() {
    Modify.Builder modify = Modify.newBuilder();
    if (policies.isNext()) {
      return writePolicies(modify).setClaimant(contents.claimant());
    }
    if (policies.isUsed() && dice.oneIn(6)) {
      modify.addFails(fail());
      return modify.setClaimant(claimant(modify));
    }
    switch (dice.below(4)) {
      case 0 -> modify.addDeletes(ref(false));
      case 1 -> modify.addChanges(change(false));
      default -> modify.addInserts(insert());
    }
    if (dice.oneIn(12)) {
      modify.setThenClaim(thenClaim());
    }
    return modify.setClaimant(claimant(modify));
  }

  private Modify.Builder writePolicies(Modify.Builder modify) {
    policies.addTo(modify);
    String topic = policies.topicWritten(modify);
    if (topic != null) {
      Insert insert = insert();
      modify.addInserts(
          insert.toBuilder().setData(insert.getData().toBuilder().setQueue(topic)).build());
    }
    return modify;
  }

  /** Mostly the claimant who holds the tasks. */
  private Id claimant(Modify.Builder modify) {
    Task held = null;
    if (modify.getChangesCount() > 0) {
      held = machine.view().find(modify.getChanges(0).getId());
    } else if (modify.getDeletesCount() > 0) {
      held = machine.view().find(modify.getDeletes(0).getId());
    } else if (modify.getFailsCount() > 0) {
      held = machine.view().find(modify.getFails(0).getId());
    }
    return held != null && dice.percent(75) ? held.getClaimant() : contents.claimant();
  }

  private Insert insert() {
    return Insert.newBuilder()
        .setId(maybeImpostor(ids.forInsert()))
        .setData(policies.withAttributes(contents.data()))
        .build();
  }

  private Fail fail() {
    return policies.fail(ref(false), dice.percent(50) ? "" : "failed: " + dice.below(100));
  }

  /** Mostly one that a worker might make: of the same queue, with the same content. */
  private TaskData changed(Id id) {
    Task task = machine.view().find(id);
    TaskData data = policies.withAttributes(contents.data());
    if (task == null || !policies.isUsed() || dice.percent(40)) {
      return data;
    }
    TaskData.Builder same = data.toBuilder().setQueue(task.getQueue());
    if (dice.percent(60)) {
      same.setValueKind(task.getValueKind()).setValue(task.getValue()).setErr(task.getErr());
      if (task.getValueKind() == ValueKind.VALUE_BYTES && dice.oneIn(4)) {
        same.setValue(ByteString.copyFrom(dice.bytes(task.getValue().size())));
      }
    }
    same.setAttempt(task.getAttempt() + (dice.percent(30) ? 1 : 0));
    return same.build();
  }

  private Change change(boolean isV0) {
    Id id = existing();
    Change.Builder change =
        Change.newBuilder()
            .setId(maybeImpostor(id))
            .setVersion(version(id))
            .setFromQueue(queue(id, isV0));
    boolean isLease = !isV0 && !change.getFromQueue().isEmpty() && dice.percent(30);
    if (isLease) {
      boolean isTakenBack = dice.oneIn(machine.machine().level() >= Levels.TAKE_BACK ? 3 : 30);
      return isTakenBack
          ? change
              .setMode(ChangeMode.CHANGE_TAKE_BACK)
              .setData(TaskData.newBuilder().setQueue(change.getFromQueue()))
              .build()
          : change.setMode(ChangeMode.CHANGE_LEASE).setData(lease(change.getFromQueue())).build();
    }
    if (!isV0 && dice.percent(20)) {
      change.setMode(ChangeMode.CHANGE_RESET_CLAIMS);
    }
    return change.setData(changed(id)).build();
  }

  /** Only the arrival time, as a duration or an instant. */
  private TaskData lease(String queue) {
    TaskData.Builder data = TaskData.newBuilder().setQueue(queue);
    return dice.percent(70)
        ? data.setByMs(clock.duration()).build()
        : data.setArrivalMs(clock.arrival()).build();
  }

  private TaskRef ref(boolean isV0) {
    Id id = existing();
    return TaskRef.newBuilder()
        .setId(maybeImpostor(id))
        .setVersion(version(id))
        .setQueue(queue(id, isV0))
        .build();
  }

  /** Mostly the queue of the task; the v0 API may leave it out. */
  private String queue(Id id, boolean isV0) {
    if (dice.percent(isV0 ? 60 : 1)) {
      return "";
    }
    Task task = machine.view().find(id);
    return task != null && dice.percent(isV0 ? 85 : 97) ? task.getQueue() : contents.queue();
  }

  /** Mostly the id of an existing task. */
  private Id existing() {
    if (policies.hasTopics() && dice.oneIn(3)) {
      return anyTask();
    }
    Id id = ids.any();
    for (int tries = 0; tries < 4 && machine.view().find(id) == null; tries++) {
      id = ids.any();
    }
    return dice.oneIn(40) ? ids.fresh() : id;
  }

  /** Also a copy, whose id nobody has chosen. */
  private Id anyTask() {
    List<String> queues = machine.view().queueNames();
    if (queues.isEmpty()) {
      return ids.any();
    }
    List<Task> tasks = machine.view().tasks(queues.get(dice.below(queues.size())));
    return tasks.get(dice.below(tasks.size())).getId();
  }

  private Id maybeImpostor(Id id) {
    return dice.oneIn(80) ? ids.impostor(id) : id;
  }

  private int version(Id id) {
    Task task = machine.view().find(id);
    int version = task == null ? 0 : task.getVersion();
    if (dice.percent(93)) {
      return version;
    }
    return dice.oneIntOf(Math.max(0, version - 1), version + 1, 0, Integer.MAX_VALUE);
  }

  private Claim thenClaim() {
    return Claim.newBuilder()
        .addAllQueues(contents.queuesToClaimFrom())
        .setLeaseMs(clock.leaseMs())
        .setLimit(dice.below(4))
        .build();
  }

  /** Names a task twice. */
  private void repeatOne(Modify.Builder modify) {
    if (modify.getInsertsCount() > 0 && modify.getDeletesCount() > 0 && dice.percent(30)) {
      Insert.Builder first = modify.getInserts(0).toBuilder().setId(modify.getDeletes(0).getId());
      modify.setInserts(0, first);
      return;
    }
    if (modify.getInsertsCount() > 0 && dice.percent(50)) {
      Insert first = modify.getInserts(0);
      modify.addInserts(Insert.newBuilder().setId(first.getId()).setData(contents.data()));
    } else if (modify.getChangesCount() > 0) {
      Change first = modify.getChanges(0);
      modify.addDeletes(TaskRef.newBuilder().setId(first.getId()).setVersion(first.getVersion()));
    } else if (modify.getDeletesCount() > 0) {
      modify.addDepends(modify.getDeletes(0));
    }
  }

  /** The v0 API sees keys only. */
  private static Modify.Builder withoutTexts(Modify.Builder modify) {
    modify.setClaimant(modify.getClaimant().toBuilder().clearText());
    modify.getInsertsBuilderList().forEach(insert -> insert.getIdBuilder().clearText());
    modify.getChangesBuilderList().forEach(change -> change.getIdBuilder().clearText());
    modify.getDeletesBuilderList().forEach(delete -> delete.getIdBuilder().clearText());
    modify.getDependsBuilderList().forEach(depend -> depend.getIdBuilder().clearText());
    modify.getFailsBuilderList().forEach(fail -> fail.getIdBuilder().clearText());
    return modify;
  }

  /** Deletes much of a queue, so that stores also shrink. */
  Modify.Builder sweep(List<Task> tasks) {
    Modify.Builder modify = Modify.newBuilder();
    Id holder = tasks.get(dice.below(tasks.size())).getClaimant();
    for (Task task : tasks) {
      boolean isFree =
          task.getArrivalMs() <= clock.nowMs()
              || ListingCheck.isNobody(task.getClaimant())
              || ListingCheck.hasKeyOf(task.getClaimant(), holder);
      if (isFree && modify.getDeletesCount() < SWEEP_MAX && dice.percent(80)) {
        modify.addDeletes(
            TaskRef.newBuilder()
                .setId(task.getId())
                .setVersion(task.getVersion())
                .setQueue(task.getQueue()));
      }
    }
    return modify.setClaimant(holder);
  }

  /** Many tasks for one queue that all become due together. */
  Modify.Builder flood() {
    Modify.Builder modify = Modify.newBuilder().setClaimant(contents.claimant());
    String queue = contents.queue();
    long arrivalMs = clock.nowMs() + dice.below(30);
    for (int i = dice.between(300, 900); i > 0; i--) {
      TaskData data = TaskData.newBuilder().setQueue(queue).setArrivalMs(arrivalMs).build();
      modify.addInserts(Insert.newBuilder().setId(ids.fresh()).setData(data));
    }
    return modify;
  }

  /** Tasks for a queue whose values exceed what one step assigns. */
  Modify.Builder load(String queue) {
    Modify.Builder modify = Modify.newBuilder().setClaimant(contents.claimant());
    long arrivalMs = clock.nowMs() + (dice.percent(70) ? 0 : dice.below(30));
    for (int i = dice.between(4, 8); i > 0; i--) {
      modify.addInserts(
          Insert.newBuilder().setId(ids.fresh()).setData(contents.heavy(queue, arrivalMs)));
    }
    return modify;
  }
}
