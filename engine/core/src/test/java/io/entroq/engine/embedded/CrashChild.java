package io.entroq.engine.embedded;

import io.entroq.api.Change;
import io.entroq.api.Claim;
import io.entroq.api.Durability;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.api.TaskRef;
import io.entroq.api.Value;
import io.entroq.engine.fault.FaultHook;
import io.entroq.engine.fault.FaultPoint;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The process that is killed: works on a queue for ever and tells on its standard output what was
 * acknowledged, and before each deletion that it is about to be asked for.
 */
final class CrashChild {
  private static final int THREADS = 3;
  private static final Claim CLAIM = Claim.from("work", "moved").withLease(Duration.ofMillis(30));

  private final EmbeddedEntroQ queue;

  private CrashChild(EmbeddedEntroQ queue) {
    this.queue = queue;
  }

  /**
   * Works until killed.
   *
   * @param args directory; level; seed; the fault point to die at, or {@code NONE}; after how many
   *     passes
   */
  public static void main(String[] args) {
    EmbeddedConfig config =
        EmbeddedConfig.in(Path.of(args[0]))
            .durability(Durability.valueOf(args[1]))
            .segmentBytes(1 << 17)
            .snapshotLogBytes(1 << 16)
            .snapshotInterval(Duration.ofMillis(200))
            .build();
    long seed = Long.parseLong(args[2]);
    FaultHook hook =
        args[3].equals("NONE")
            ? FaultHook.NONE
            : dieAt(FaultPoint.valueOf(args[3]), Integer.parseInt(args[4]));
    CrashChild child =
        new CrashChild(
            new EmbeddedEntroQ(
                config,
                EngineStore.open(config, EngineEnvironment.ofThisMachine().withFaults(hook))));
    for (int i = 0; i < THREADS; i++) {
      SplittableRandom random = new SplittableRandom(seed + i);
      new Thread(() -> child.work(random)).start();
    }
  }

  private static FaultHook dieAt(FaultPoint fatal, int passes) {
    AtomicInteger left = new AtomicInteger(passes);
    return point -> {
      if (point == fatal && left.decrementAndGet() == 0) {
        Runtime.getRuntime().halt(9);
      }
    };
  }

  private void work(SplittableRandom random) {
    try {
      while (true) {
        if (random.nextInt(10) < 4) {
          insert(random);
        } else {
          claim(random).forEach(task -> finish(task, random));
        }
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void insert(SplittableRandom random) {
    Modification.Builder inserts = Modification.builder();
    for (int i = random.nextInt(3); i >= 0; i--) {
      inserts.insert("work", Value.bytes(new byte[random.nextInt(200)]));
    }
    queue.modify(inserts.build()).orThrow().inserted().forEach(task -> tell("I", task));
  }

  private List<Task> claim(SplittableRandom random) throws InterruptedException {
    Claim claim = CLAIM.withLimit(1 + random.nextInt(3));
    List<Task> tasks =
        random.nextBoolean()
            ? queue.tryClaimMany(claim)
            : queue.claimMany(claim.withMaxWait(Duration.ofMillis(5)));
    tasks.forEach(task -> tell("C", task));
    return tasks;
  }

  private void finish(Task task, SplittableRandom random) {
    switch (random.nextInt(4)) {
      case 0, 1 -> {
        tell("B", task);
        if (queue.modify(Modification.delete(task)).isCommitted()) {
          tell("D", task);
        }
      }
      case 2 -> {
        Modification change = Modification.change(Change.of(task).moveTo("moved"));
        if (queue.modify(change) instanceof ModifyResult.Committed done) {
          tell("M", done.changed().get(0));
        }
      }
      default -> {
        // Its lease will end, and somebody else gets it.
      }
    }
  }

  private static void tell(String what, Task task) {
    TaskRef ref = task.ref();
    // One write per line, so that a kill cuts at most the last one.
    System.out.print("@" + what + " " + ref.id() + " " + ref.version() + "\n");
    System.out.flush();
  }
}
