package io.entroq.simulator.random;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.entroq.codec.wire.log.Acknowledge;
import io.entroq.codec.wire.log.CallersGone;
import io.entroq.codec.wire.log.Cancel;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.Facade;
import io.entroq.codec.wire.log.Identity;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.QueueStats;
import io.entroq.codec.wire.log.RaiseLevel;
import io.entroq.codec.wire.log.Task;
import io.entroq.codec.wire.log.Tick;
import io.entroq.engine.state.Levels;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Draws the next action. Each seed has its own character: sizes of pools, low or high load. */
public final class CommandGenerator {
  private static final int CALLERS_MAX = 12;
  private static final int WAITERS_WANTED = 40;

  /** A hunt keeps its log in memory. */
  private static final int LOADS_MAX = 2;

  private static final String LOADED_QUEUE = "loaded";

  private final Dice dice;
  private final WatchedMachine machine;
  private final Clockwork clock;
  private final RandomContents contents;
  private final ModifyGenerator modifies;
  private final ReadGenerator reads;
  private final DocGenerator docs;
  private final List<IdentifiedClient> callers = new ArrayList<>();
  private final boolean hasPolicies;
  private final boolean hasPools;
  private final boolean hasFloods;
  private final boolean hasLimits;
  private final int tasksWanted;

  /** Commands that belong together, executed one after the other. */
  private final Deque<Message> planned = new ArrayDeque<>();

  private int loadsLeft;

  /**
   * A generator whose commands depend on the seed and on the state.
   *
   * @param seed names the hunt
   * @param machine the state machine
   */
  CommandGenerator(long seed, WatchedMachine machine) {
    this.dice = new Dice(seed);
    this.machine = machine;
    this.clock = new Clockwork(dice);
    PoolGenerator pools = new PoolGenerator(seed);
    this.contents = new RandomContents(dice, clock, pools);
    IdPool ids = new IdPool(dice, dice.oneIntOf(3, 10, 40, 300));
    PolicyGenerator policies = new PolicyGenerator(dice, contents, pools);
    this.hasPolicies = policies.isUsed();
    this.hasPools = pools.isUsed();
    this.modifies = new ModifyGenerator(dice, clock, contents, ids, policies, machine);
    this.docs = new DocGenerator(seed, machine);
    this.reads = new ReadGenerator(dice, contents, ids);
    this.hasFloods = dice.oneIn(6);
    this.hasLimits = dice.percent(50);
    this.tasksWanted = dice.oneIntOf(20, 100, 400, 1_500);
    this.loadsLeft = dice.oneIn(5) ? LOADS_MAX : 0;
    for (int i = dice.between(1, 4); i > 0; i--) {
      callers.add(new IdentifiedClient(dice));
    }
  }

  /** The time of the first record. */
  long startMs() {
    return clock.nowMs();
  }

  /** Whether it writes policies. */
  boolean hasPolicies() {
    return hasPolicies;
  }

  /** Whether its queues are below each other, so that there are pools and topics. */
  boolean hasPools() {
    return hasPools;
  }

  /** The next action. */
  public Action next() {
    if (dice.oneIn(50)) {
      Message command = command();
      return new Action.Noise(command, spoiled(command.toByteArray()), clock.nowMs());
    }
    if (docs.asks()) {
      return new Action.Read(docs.query(), clock.nowMs());
    }
    if (docs.isNext()) {
      return new Action.Command(docs.next(clock.nowMs()), clock.nowMs());
    }
    if (dice.oneIn(40)) {
      return new Action.Read(reads.next(), clock.nowMs());
    }
    return new Action.Command(command(), clock.nowMs());
  }

  /** Advances to the millisecond in which a task becomes available, or the one before or after. */
  private void aimAtAnArrival() {
    List<String> queues = machine.view().queueNames();
    if (queues.isEmpty()) {
      return;
    }
    List<Task> tasks = machine.view().tasks(queues.get(dice.below(queues.size())));
    long arrivalMs = tasks.get(dice.below(tasks.size())).getArrivalMs();
    if (arrivalMs > clock.nowMs() && arrivalMs < Long.MAX_VALUE) {
      clock.aimAt(arrivalMs + dice.between(-1, 1));
    }
  }

  /** As above, for whatever is due next: a gate, the end of a lease or of a pause, an expiry. */
  private void aimAtADeadline() {
    long deadlineMs = machine.machine().nextDeadlineMs();
    if (deadlineMs > clock.nowMs() && deadlineMs < Long.MAX_VALUE) {
      clock.aimAt(deadlineMs + dice.between(-1, 1));
    }
  }

  /** Almost a command: a bit flipped, a piece missing, or something behind it. */
  private ByteString spoiled(byte[] bytes) {
    if (bytes.length > 0 && dice.percent(60)) {
      bytes[dice.below(bytes.length)] ^= (byte) (1 << dice.below(8));
    }
    ByteString spoiled = ByteString.copyFrom(bytes);
    return switch (dice.below(3)) {
      case 0 -> spoiled.substring(0, dice.between(0, bytes.length));
      case 1 -> spoiled.concat(ByteString.copyFrom(dice.bytes(dice.between(1, 12))));
      default -> spoiled;
    };
  }

  private Message command() {
    if (!planned.isEmpty()) {
      return planned.remove();
    }
    clock.advance();
    if (dice.oneIn(30)) {
      aimAtAnArrival();
    } else if (dice.oneIn(20)) {
      aimAtADeadline();
    }
    if (loadsLeft > 0 && dice.oneIn(400)) {
      loadsLeft--;
      planLoad();
    }
    if (machine.view().taskCount() > tasksWanted && dice.percent(20)) {
      return sweep();
    }
    if (machine.view().waiterCount() > WAITERS_WANTED && dice.percent(20)) {
      return withdrawal();
    }
    int chance = dice.below(1_000);
    if (chance < 420) {
      return modify();
    }
    if (chance < 600) {
      return claim(false);
    }
    if (chance < 800) {
      return claim(true);
    }
    if (chance < 890) {
      return retry();
    }
    if (chance < 930) {
      return cancel();
    }
    return chance < 960 ? Tick.getDefaultInstance() : withdrawal();
  }

  // Requests.

  private Message modify() {
    Modify.Builder modify;
    if (hasFloods && dice.oneIn(25)) {
      modify = modifies.flood();
    } else {
      modify = dice.percent(50) ? modifies.simple() : modifies.next();
    }
    if (hasLimits && dice.percent(60)) {
      modify.setQueueTasksMax(limitOfQueues());
    }
    return dice.percent(40) ? sent(modify) : modify.build();
  }

  /** Often one that a queue meets in the next step. */
  private long limitOfQueues() {
    List<QueueStats> queues = machine.view().queues(clock.nowMs());
    if (queues.isEmpty() || dice.oneIn(5)) {
      return dice.oneOf(1, 2, 3, 10, 1_000, Long.MAX_VALUE);
    }
    long size = queues.get(dice.below(queues.size())).getTasks();
    return Math.max(1, size + dice.between(-2, 3));
  }

  /** Claims that wait, then more for them than one step gives away. */
  private void planLoad() {
    for (int i = dice.between(3, 10); i > 0; i--) {
      planned.add(sent(claimOf(List.of(LOADED_QUEUE), true)));
    }
    // Never repeated, because the log of a hunt is in memory.
    planned.add(modifies.load(LOADED_QUEUE).build());
  }

  private Message sweep() {
    List<String> queues = machine.view().queueNames();
    List<Task> tasks = machine.view().tasks(queues.get(dice.below(queues.size())));
    return modifies.sweep(tasks).build();
  }

  private Message claim(boolean waits) {
    Claim.Builder claim = claimOf(contents.queuesToClaimFrom(), waits);
    return waits || dice.percent(40) ? sent(claim) : claim.build();
  }

  private Claim.Builder claimOf(List<String> queues, boolean waits) {
    Claim.Builder claim =
        Claim.newBuilder()
            .addAllQueues(queues)
            .setClaimant(contents.claimant())
            .setLeaseMs(clock.leaseMs())
            .setLimit(limit())
            .setWait(waits);
    if (waits || dice.oneIn(20)) {
      claim.setDeadlineMs(clock.deadlineMs());
    }
    if (dice.percent(30)) {
      claim.setFacade(Facade.FACADE_V0);
      claim.setClaimant(claim.getClaimant().toBuilder().clearText());
    }
    return claim;
  }

  private int limit() {
    if (hasFloods && dice.percent(30)) {
      return 1_000;
    }
    return dice.percent(75) ? dice.below(2) : dice.skewedBelow(30);
  }

  private Message sent(Modify.Builder modify) {
    IdentifiedClient caller = caller();
    Message command = modify.setIdentity(nextIdentity(caller)).build();
    caller.remember(command);
    return command;
  }

  private Message sent(Claim.Builder claim) {
    IdentifiedClient caller = caller();
    Message command = claim.setIdentity(nextIdentity(caller)).build();
    caller.remember(command);
    return command;
  }

  private Identity nextIdentity(IdentifiedClient caller) {
    return caller.next(machine.parkedNumbers(caller.of(0)));
  }

  private IdentifiedClient caller() {
    if (dice.oneIn(300)) {
      IdentifiedClient stranger = new IdentifiedClient(dice);
      if (callers.size() < CALLERS_MAX) {
        callers.add(stranger);
      } else {
        callers.set(dice.below(CALLERS_MAX), stranger);
      }
      return stranger;
    }
    return callers.get(dice.skewedBelow(callers.size()));
  }

  // Repeats and cancels.

  private Message retry() {
    IdentifiedClient caller = caller();
    List<Long> parked = machine.parkedNumbers(caller.of(0));
    Message command =
        parked.isEmpty() || dice.percent(60)
            ? caller.sentBefore()
            : caller.sentAs(parked.get(dice.below(parked.size())));
    if (command instanceof Modify modify) {
      if (hasLimits && dice.oneIn(4)) {
        return modify.toBuilder().setQueueTasksMax(dice.oneOf(0, 1, limitOfQueues())).build();
      }
      return dice.percent(85)
          ? modify
          : modify.toBuilder().setClaimant(contents.claimant()).build();
    }
    if (command instanceof Claim claim) {
      return dice.percent(85) ? claim : claim.toBuilder().setLeaseMs(clock.leaseMs()).build();
    }
    return modify();
  }

  private Message cancel() {
    IdentifiedClient caller = dice.oneIn(50) ? new IdentifiedClient(dice) : caller();
    List<Long> parked = machine.parkedNumbers(caller.of(0));
    long number =
        parked.isEmpty() || dice.percent(50)
            ? caller.recentNumber()
            : parked.get(dice.below(parked.size()));
    return Cancel.newBuilder().setIdentity(caller.of(number)).build();
  }

  private Message withdrawal() {
    return switch (dice.below(20)) {
      case 0 -> CallersGone.newBuilder().setAll(true).build();
      case 1, 2, 3, 4 -> callersGone();
      case 5 -> RaiseLevel.newBuilder().setLevel(dice.between(Levels.MIN, Levels.MAX)).build();
      case 6, 7, 8, 9 -> acknowledge();
      default -> cancel();
    };
  }

  private Message callersGone() {
    CallersGone.Builder gone = CallersGone.newBuilder();
    for (int i = dice.between(0, 3); i > 0; i--) {
      IdentifiedClient caller = dice.oneIn(10) ? new IdentifiedClient(dice) : caller();
      gone.addClients(caller.of(0));
    }
    return gone.build();
  }

  private Message acknowledge() {
    Acknowledge.Builder acknowledge = Acknowledge.newBuilder();
    for (int i = dice.between(0, 3); i > 0; i--) {
      IdentifiedClient caller = dice.oneIn(10) ? new IdentifiedClient(dice) : caller();
      acknowledge.addClients(caller.acknowledgement(machine.parkedNumbers(caller.of(0))));
    }
    if (dice.percent(60)) {
      for (int i = dice.between(1, 4); i > 0; i--) {
        IdentifiedClient caller = dice.oneIn(30) ? new IdentifiedClient(dice) : caller();
        acknowledge.addDelivered(caller.of(caller.recentNumber()));
      }
    }
    return acknowledge.build();
  }
}
