package io.entroq.service.insight.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.codec.wire.edge.EventCounts;
import io.entroq.codec.wire.edge.Fair;
import io.entroq.codec.wire.edge.Policy;
import io.entroq.codec.wire.edge.PolicyState;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Random queues and pools: what is shown of them is what the names say. */
class PoolFoldModelTest {
  private static final List<String> SEGMENTS = List.of("a", "b", "err", "", "c");

  private final long seed = Long.getLong("test.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final Map<String, Integer> depths = new HashMap<>();

  /** Tasks by queue. */
  private final TreeMap<String, Long> queues = new TreeMap<>();

  private String anyName() {
    StringBuilder name = new StringBuilder(random.nextBoolean() ? "p" : "q");
    int segments = random.nextInt(5);
    for (int i = 0; i < segments; i++) {
      name.append('/').append(SEGMENTS.get(random.nextInt(SEGMENTS.size())));
    }
    return name.toString();
  }

  /** As the protocol says it, without regard to time. */
  private String pool(String name) {
    int slash = name.lastIndexOf('/');
    String last = name.substring(slash + 1);
    if (slash <= 0 || last.isEmpty() || last.equals("err")) {
      return "";
    }
    String parent = name.substring(0, slash);
    return depth(parent, 3) > 0 ? parent : "";
  }

  private int depth(String name, int levels) {
    if (levels == 0 || name.isEmpty()) {
      return 0;
    }
    if (depths.containsKey(name)) {
      return depths.get(name);
    }
    int slash = name.lastIndexOf('/');
    String last = name.substring(slash + 1);
    return slash <= 0 || last.isEmpty() || last.equals("err")
        ? 0
        : Math.max(0, depth(name.substring(0, slash), levels - 1) - 1);
  }

  /** The pools that a queue is below, the nearest first. */
  private List<String> pools(String name) {
    List<String> above = new ArrayList<>();
    for (String pool = pool(name); !pool.isEmpty(); pool = pool(pool)) {
      above.add(pool);
    }
    return above;
  }

  private static Map<String, Long> tasks(SweepColumns shown) {
    Map<String, Long> found = new TreeMap<>();
    for (int row = 0; row < shown.size(); row++) {
      found.put(shown.name(row), shown.value(SweepColumn.TASKS, row));
    }
    return found;
  }

  @Test
  void shouldShowWhatTheNamesSay() {
    for (int world = 0; world < 30; world++) {
      depths.clear();
      queues.clear();
      List<PolicyState> policies = new ArrayList<>();
      for (int i = 0; i < random.nextInt(6); i++) {
        String name = anyName();
        boolean isTopic = random.nextInt(4) == 0;
        int depth = 1 + random.nextInt(3);
        if (depths.putIfAbsent(name, isTopic ? 0 : depth) == null) {
          Policy.Builder policy = Policy.newBuilder().setName(name);
          if (isTopic) {
            policy.addGroups("g");
          } else {
            policy.setFair(Fair.FAIR_ROUND_ROBIN).setPoolDepth(depth);
          }
          policies.add(PolicyState.newBuilder().setPolicy(policy).build());
          if (random.nextBoolean()) {
            queues.put(name, 1L + random.nextInt(9));
          }
        }
      }
      for (int i = 0; i < 40; i++) {
        queues.put(anyName(), 1L + random.nextInt(9));
      }
      check(world, PoolPolicies.of(policies));
    }
  }

  @Test
  void shouldAddUpOnceWhatIsBelowTwoPools() {
    depths.put("q", 2);
    depths.put("q/a//err", 3);
    queues.putAll(Map.of("q", 7L, "q/a", 8L, "q/a//err", 8L, "q/a//err/a", 7L));
    check(
        0,
        PoolPolicies.of(
            depths.entrySet().stream()
                .map(
                    pool ->
                        PolicyState.newBuilder()
                            .setPolicy(
                                Policy.newBuilder()
                                    .setName(pool.getKey())
                                    .setFair(Fair.FAIR_ROUND_ROBIN)
                                    .setPoolDepth(pool.getValue()))
                            .build())
                .toList()));
  }

  private void check(int world, PoolPolicies pools) {
    SweepColumns all = look();
    Map<String, Long> outer = new TreeMap<>();
    queues.forEach(
        (name, tasks) -> {
          List<String> above = pools(name);
          outer.merge(above.isEmpty() ? name : above.get(above.size() - 1), tasks, Long::sum);
        });
    String label = "seed %d, world %d: %s of %s".formatted(seed, world, depths, queues);
    assertThat(tasks(PoolFold.of(all, pools).queues())).as(label).isEqualTo(outer);
    TreeSet<String> names = new TreeSet<>(queues.keySet());
    queues.keySet().forEach(name -> names.addAll(pools(name)));
    for (String pool : names) {
      Map<String, Long> members = new TreeMap<>();
      if (queues.containsKey(pool)) {
        members.put(pool, queues.get(pool));
      }
      queues.forEach(
          (name, tasks) -> {
            List<String> above = new ArrayList<>(List.of(name));
            above.addAll(pools(name));
            int at = above.indexOf(pool);
            if (at > 0) {
              members.merge(above.get(at - 1), tasks, Long::sum);
            }
          });
      PoolFold fold = PoolFold.of(all, pools, pool);
      assertThat(tasks(fold.queues())).as("%s in %s", pool, label).isEqualTo(members);
      for (int row = 0; row < fold.queues().size(); row++) {
        String shown = fold.queues().name(row);
        long below = names.stream().filter(name -> pool(name).equals(shown)).count();
        assertThat(fold.members(row))
            .as("below %s in %s", shown, label)
            .isEqualTo(shown.equals(pool) ? 0 : (int) below);
        assertThat(fold.lastMinute(row, this::counted).getInserted()).isEqualTo(members.get(shown));
      }
    }
  }

  private EventCounts counted(List<String> names) {
    return EventCounts.newBuilder()
        .setInserted(names.stream().mapToLong(name -> queues.getOrDefault(name, 0L)).sum())
        .build();
  }

  private SweepColumns look() {
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(EmbeddedConfig.inMemory().build())) {
      Modification.Builder inserts = Modification.builder();
      queues.forEach(
          (name, tasks) -> {
            for (int i = 0; i < tasks; i++) {
              inserts.insert(Insert.into(name));
            }
          });
      queue.modify(inserts.build()).orThrow();
      return new QueueSweep(queue.gateway(), 1_000, Runnable::run, System::nanoTime).look().join();
    }
  }
}
