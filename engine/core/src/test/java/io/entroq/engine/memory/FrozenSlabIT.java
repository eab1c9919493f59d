package io.entroq.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FrozenSlabIT {
  @Test
  void shouldWaitForTheWriterWhenThereIsNoMemoryForACopy() throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (flag.startsWith("--")) {
        command.add(flag);
      }
    }
    command.addAll(List.of("-XX:MaxDirectMemorySize=4m", "-XX:TieredStopAtLevel=1", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(NoMemoryChild.class.getName());
    Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(said).isEqualToIgnoringNewLines("went on with 2, kept 0");
    assertThat(child.waitFor()).isZero();
  }

  /** A process of which a test has limited the memory outside the heap to a few MiB. */
  static final class NoMemoryChild {
    private static final int SHIFT = 8;
    private static final int RECORD_BYTES = 1 << 10;
    private static final int LIVE = 8;

    private NoMemoryChild() {}

    /** Changes a frozen record when there is no memory left for a copy of its chunk. */
    public static void main(String[] args) throws InterruptedException {
      Slab slab = new Slab(RECORD_BYTES, SHIFT, LIVE);
      for (int i = 0; i < 2 << SHIFT; i++) {
        slab.putLong(slab.allocate(), LIVE, 1);
      }
      Freeze freeze = new Freeze(1L << 30);
      FrozenSlab frozen = slab.freeze(freeze, 0);
      frozen.take(0);
      List<ByteBuffer> all = useUpMemory();
      Thread writer = new Thread(() -> takeWanted(frozen));
      writer.setDaemon(true);
      writer.start();
      slab.putLong(1 << SHIFT, LIVE, 2);
      writer.join();
      System.out.println(
          "went on with " + slab.getLong(1 << SHIFT, LIVE) + ", kept " + freeze.keptBytes());
      System.exit(all.isEmpty() ? 1 : 0);
    }

    private static List<ByteBuffer> useUpMemory() {
      List<ByteBuffer> all = new ArrayList<>();
      try {
        while (true) {
          all.add(ByteBuffer.allocateDirect(64 << 10));
        }
      } catch (OutOfMemoryError e) {
        return all;
      }
    }

    private static void takeWanted(FrozenSlab frozen) {
      while (frozen.wantedChunk() != 1) {
        Thread.onSpinWait();
      }
      frozen.take(1);
    }
  }
}
