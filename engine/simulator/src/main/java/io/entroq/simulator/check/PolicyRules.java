package io.entroq.simulator.check;

import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.command.PauseDecoder;
import io.entroq.codec.command.PolicyRefDecoder;
import io.entroq.codec.message.PolicyDecoder;
import io.entroq.codec.message.PolicyKinds;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.simulator.policy.PolicyTable;
import io.entroq.simulator.policy.PoolShape;
import io.entroq.simulator.undo.Cells;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The policies of a modify: why it is refused, what it writes, and what its answer shows of it. */
final class PolicyRules {
  private final Account account;
  private final Cells cells;
  private final PolicyTable policies;
  private final PoolShape shape;
  private final Set<ModifyCheck.Key> put = new HashSet<>();
  private final Set<ModifyCheck.Key> deleted = new HashSet<>();
  private final Set<ModifyCheck.Key> paused = new HashSet<>();

  PolicyRules(Account account) {
    this.account = account;
    this.cells = account.cells;
    this.policies = account.policies;
    this.shape = new PoolShape(account.cells, account.policies);
  }

  /** Whether a modify has rules that came with pools and topics. */
  static boolean hasPoolRules(ModifyDecoder modify) {
    boolean has = false;
    for (int i = 0; i < modify.policyPutCount(); i++) {
      PolicyDecoder policy = modify.policyPut(i);
      has |= policy.fair() != 0 || policy.groupCount() > 0;
      has |= policy.weight() != 0 || policy.rank() != 0;
    }
    return has;
  }

  static boolean isIn(ModifyDecoder modify) {
    return modify.policyPutCount() + modify.policyDeleteCount() + modify.pauseCount() > 0;
  }

  // Check.

  void check(ModifyDecoder modify, ModifyCheck check, long nowMs) {
    put.clear();
    deleted.clear();
    paused.clear();
    for (int i = 0; i < modify.policyPutCount(); i++) {
      checkPut(modify, check, i);
    }
    for (int i = 0; i < modify.policyDeleteCount(); i++) {
      checkDelete(modify, check, i);
    }
    for (int i = 0; i < modify.pauseCount(); i++) {
      ModifyCheck.Key key = key(modify, modify.pause(i));
      if (!paused.add(key) || deleted.contains(key)) {
        check.refuse(ResultCodes.DUPLICATE_ITEM, ItemKinds.PAUSE, i);
      }
    }
    checkNumbers(modify, check);
    checkAsWritten(modify, check, nowMs);
  }

  private void checkPut(ModifyDecoder modify, ModifyCheck check, int index) {
    PolicyDecoder rules = modify.policyPut(index);
    ModifyCheck.Key key = key(modify, rules);
    if (!put.add(key)) {
      check.refuse(ResultCodes.DUPLICATE_ITEM, ItemKinds.POLICY_PUT, index);
    }
    long version = version(key);
    int expected = rules.expectedVersion();
    if (expected != 0 && version != Math.max(0, expected)) {
      check.fail(ItemKinds.POLICY_PUT, index, false);
      check.existing(version, 0);
    }
  }

  private void checkDelete(ModifyDecoder modify, ModifyCheck check, int index) {
    PolicyRefDecoder ref = modify.policyDelete(index);
    ModifyCheck.Key key =
        key(ref.kind(), policies.name(modify.buffer(), ref.nameOffset(), ref.nameLength()));
    if (!deleted.add(key) || put.contains(key)) {
      check.refuse(ResultCodes.DUPLICATE_ITEM, ItemKinds.POLICY_DELETE, index);
    }
    long version = version(key);
    if (version == 0 || (ref.expectedVersion() != 0 && version != ref.expectedVersion())) {
      check.fail(ItemKinds.POLICY_DELETE, index, false);
      check.existing(version, 0);
    }
  }

  private long version(ModifyCheck.Key key) {
    int policy = policies.find((int) key.high(), (int) key.low());
    return policy == Cells.NONE ? 0 : cells.get(policy + PolicyTable.VERSION);
  }

  private static ModifyCheck.Key key(int kind, int name) {
    return new ModifyCheck.Key(kind, name);
  }

  private ModifyCheck.Key key(ModifyDecoder modify, PolicyDecoder rules) {
    return key(
        rules.kind(), policies.name(modify.buffer(), rules.nameOffset(), rules.nameLength()));
  }

  private ModifyCheck.Key key(ModifyDecoder modify, PauseDecoder pause) {
    return key(
        pause.kind(), policies.name(modify.buffer(), pause.nameOffset(), pause.nameLength()));
  }

  private void checkNumbers(ModifyDecoder modify, ModifyCheck check) {
    if (modify.policiesMax() == 0) {
      return;
    }
    long[] more = new long[2];
    for (ModifyCheck.Key key : deleted) {
      more[group(key)]--;
    }
    for (int i = 0; i < modify.policyPutCount(); i++) {
      if (version(key(modify, modify.policyPut(i))) == 0) {
        count(modify, check, more, key(modify, modify.policyPut(i)), ItemKinds.POLICY_PUT, i);
      }
    }
    for (int i = 0; i < modify.pauseCount(); i++) {
      ModifyCheck.Key key = key(modify, modify.pause(i));
      if (version(key) == 0 && !put.contains(key) && modify.pause(i).pauseMs() != 0) {
        count(modify, check, more, key, ItemKinds.PAUSE, i);
      }
    }
  }

  /** Limiters are counted apart. */
  private static int group(ModifyCheck.Key key) {
    return key.high() == PolicyKinds.LIMITER ? 1 : 0;
  }

  private void count(
      ModifyDecoder modify,
      ModifyCheck check,
      long[] more,
      ModifyCheck.Key key,
      int itemKind,
      int index) {
    long added = ++more[group(key)];
    long max = Integer.toUnsignedLong(modify.policiesMax());
    if (added > 0 && policies.count(group(key) == 1) + added > max) {
      check.refuse(ResultCodes.TOO_MANY_POLICIES, itemKind, index);
    }
  }

  /** Looks at the policies as they would be, then takes them back. */
  private void checkAsWritten(ModifyDecoder modify, ModifyCheck check, long nowMs) {
    long point = cells.point();
    write(modify, nowMs);
    int first = -1;
    for (int i = modify.policyPutCount() - 1; i >= 0; i--) {
      ModifyCheck.Key key = key(modify, modify.policyPut(i));
      int policy = policies.find((int) key.high(), (int) key.low());
      first = policy != Cells.NONE && policies.isInCircle(policy) ? i : first;
    }
    List<byte[]> tooDeep = shape.tooDeep();
    Set<ModifyCheck.Key> pools = pools();
    cells.goBack(point);
    pools.addAll(pools());
    if (first >= 0) {
      check.refuse(ResultCodes.POLICY_CIRCLE, ItemKinds.POLICY_PUT, first);
    }
    for (int i = 0; i < modify.policyPutCount(); i++) {
      ModifyCheck.Key key = key(modify, modify.policyPut(i));
      if (pools.contains(key) && isAboveAny(key, tooDeep)) {
        check.refuse(ResultCodes.POOL_TOO_DEEP, ItemKinds.POLICY_PUT, i);
      }
    }
    for (int i = 0; i < modify.policyDeleteCount(); i++) {
      PolicyRefDecoder ref = modify.policyDelete(i);
      ModifyCheck.Key key =
          key(ref.kind(), policies.name(modify.buffer(), ref.nameOffset(), ref.nameLength()));
      if (pools.contains(key) && isAboveAny(key, tooDeep)) {
        check.refuse(ResultCodes.POOL_TOO_DEEP, ItemKinds.POLICY_DELETE, i);
      }
    }
  }

  /** All policies that make a queue a pool, or a topic, which is none whatever is above it. */
  private Set<ModifyCheck.Key> pools() {
    Set<ModifyCheck.Key> pools = new HashSet<>();
    for (int place = 0; place < policies.places(); place++) {
      int policy = policies.at(place);
      if (policy != Cells.NONE
          && (cells.get(policy + PolicyTable.FAIR) != 0
              || cells.get(policy + PolicyTable.GROUPS) != 0)) {
        pools.add(key(PolicyKinds.QUEUE, cells.ref(policy + PolicyTable.NAME)));
      }
    }
    return pools;
  }

  private boolean isAboveAny(ModifyCheck.Key key, List<byte[]> pools) {
    byte[] name = policies.textOf((int) key.low());
    return pools.stream().anyMatch(pool -> PoolShape.isAbove(name, pool));
  }

  // Effects.

  /** Writes the policies of a modify. */
  void write(ModifyDecoder modify, long nowMs) {
    for (int i = 0; i < modify.policyPutCount(); i++) {
      PolicyDecoder put = modify.policyPut(i);
      policies.put(put, modify.buffer());
      if (put.kind() == PolicyKinds.QUEUE) {
        addQueue(modify, put.nameOffset(), put.nameLength());
      }
    }
    for (int i = 0; i < modify.policyDeleteCount(); i++) {
      PolicyRefDecoder ref = modify.policyDelete(i);
      int name = policies.name(modify.buffer(), ref.nameOffset(), ref.nameLength());
      int policy = policies.find(ref.kind(), name);
      if (policy != Cells.NONE) {
        policies.remove(policy);
      }
    }
    for (int i = 0; i < modify.pauseCount(); i++) {
      PauseDecoder pause = modify.pause(i);
      int name = policies.name(modify.buffer(), pause.nameOffset(), pause.nameLength());
      if (pause.pauseMs() != 0 || policies.find(pause.kind(), name) != Cells.NONE) {
        policies.pause(pause.kind(), name, untilMs(pause, nowMs));
      }
      if (pause.kind() == PolicyKinds.QUEUE) {
        addQueue(modify, pause.nameOffset(), pause.nameLength());
      }
    }
  }

  /** To know whether an engine has it, once it has had members. */
  private void addQueue(ModifyDecoder modify, int offset, int length) {
    account.queues.of(account.names.number(modify.buffer(), offset, length));
  }

  private static long untilMs(PauseDecoder pause, long nowMs) {
    if (pause.pauseMs() == 0) {
      return 0;
    }
    return pause.pauseMs() < 0
        ? PolicyTable.ENDLESS
        : ClaimRules.saturatedSum(nowMs, pause.pauseMs());
  }

  /** The answer shows what was put, then what was paused or resumed, as it is now. */
  void expectWritten(Step step, ModifyDecoder modify, int answer) {
    int expected = modify.policyPutCount() + modify.pauseCount();
    long shown = account.answers.get(answer + Answers.POLICIES);
    if (shown != expected) {
      throw Invariant.POLICIES_AS_WRITTEN.broken(step.name(), expected + " policies", shown);
    }
    for (int i = 0; i < expected; i++) {
      ModifyCheck.Key key =
          i < modify.policyPutCount()
              ? key(modify, modify.policyPut(i))
              : key(modify, modify.pause(i - modify.policyPutCount()));
      expect(account.answers.policy(answer, i), key, step.nowMs);
    }
  }

  private void expect(int reported, ModifyCheck.Key key, long nowMs) {
    int kind = (int) key.high();
    int name = (int) key.low();
    int policy = policies.find(kind, name);
    for (int cell = 0; cell < Answers.POLICY_WORDS; cell++) {
      long expected =
          policy == Cells.NONE
              ? (cell == PolicyTable.KIND ? kind : cell == PolicyTable.NAME ? name : 0)
              : known(policy, cell, nowMs);
      long actual = account.answers.get(reported + cell);
      if (actual != expected) {
        Invariant invariant =
            cell == Answers.POLICY_IN_FLIGHT
                ? Invariant.IN_FLIGHT_COUNTED
                : Invariant.POLICIES_AS_WRITTEN;
        throw invariant.broken(
            policies.describe(kind, name),
            expected + " in word " + cell,
            actual + " in word " + cell);
      }
    }
  }

  private long known(int policy, int cell, long nowMs) {
    boolean isLimiter = cells.get(policy + PolicyTable.KIND) == PolicyKinds.LIMITER;
    return switch (cell) {
      case PolicyTable.PAUSED_UNTIL_MS -> {
        long untilMs = cells.get(policy + cell);
        yield untilMs > nowMs ? untilMs : 0;
      }
      case Answers.POLICY_IN_FLIGHT -> policies.inFlight(policy);
      case Answers.POLICY_NEXT_START_MS -> {
        long opensMs = isLimiter ? policies.limiterOpensAtMs(policy) : 0;
        yield opensMs > nowMs ? opensMs : 0;
      }
      default -> cells.get(policy + cell);
    };
  }

  /** A policy of a listing that is complete must be as it is in the account; returns it. */
  int expectListed(int reported, long nowMs) {
    int kind = (int) account.answers.get(reported + PolicyTable.KIND);
    int name = (int) account.answers.get(reported + PolicyTable.NAME);
    int policy = policies.find(kind, name);
    if (policy == Cells.NONE) {
      throw Invariant.POLICIES_AS_WRITTEN.broken(
          policies.describe(kind, name), "no such policy", "listed");
    }
    expect(reported, new ModifyCheck.Key(kind, name), nowMs);
    return policy;
  }
}
