package io.entroq.server.damage;

import io.entroq.api.Durability;
import io.entroq.server.cli.Java;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The directories that are damaged, each left by real engines in another way. */
final class Grounds {
  private static final int MUCH = 45;
  private static final int LITTLE = 12;

  private final Path place;
  private final long seed;
  private final List<Ground> all = new ArrayList<>();

  private Grounds(Path place, long seed) {
    this.place = place;
    this.seed = seed;
  }

  /** Makes all of them in an empty directory. */
  static List<Ground> in(Path place, long seed) throws Exception {
    Grounds grounds = new Grounds(place, seed);
    grounds.make("closed", Durability.OS, true, scene -> scene.work(MUCH).close());
    grounds.make("killed", Durability.OS, false, scene -> scene.work(MUCH));
    grounds.make(
        "closed after several runs and snapshots",
        Durability.DISK,
        true,
        scene -> {
          scene.work(MUCH).snapshot().work(LITTLE).close().open().work(LITTLE).snapshot();
          scene.work(LITTLE).close().open().work(LITTLE).snapshot().work(MUCH).close();
        });
    grounds.make(
        "killed after several runs and snapshots",
        Durability.OS,
        false,
        scene -> {
          scene.work(MUCH).close().open().work(MUCH).snapshot().work(LITTLE).close();
          scene.open().work(MUCH).snapshot().work(MUCH);
        });
    grounds.make(
        "killed with a snapshot and a tail that was not forced",
        Durability.DISK,
        false,
        scene -> {
          scene.work(LITTLE).close().open().work(MUCH).snapshot();
          scene.work(LITTLE).workUnforced(LITTLE);
        });
    grounds.makeBehindACut();
    grounds.makeKilled();
    return grounds.all;
  }

  private interface Script {
    void play(Scene scene) throws IOException;
  }

  private Path directory(String name) {
    return place.resolve("%02d-%s".formatted(all.size(), name));
  }

  private void make(String name, Durability level, boolean isClosed, Script script)
      throws IOException {
    Path work = directory("work");
    Path earlier = directory("earlier");
    Scene scene = new Scene(work, level, seed).open().work(LITTLE).keepIn(earlier);
    script.play(scene);
    Path left = work;
    if (!isClosed) {
      left = directory("killed");
      scene.killInto(left);
    }
    Scene other = new Scene(directory("foreign"), level, seed + 1).open().work(LITTLE);
    script.play(other);
    other.close();
    all.add(Ground.of(name, level, left, earlier, directory("foreign"), scene.history, isClosed));
  }

  /** A crash tore the end of the log; the next engine cut that off and went on. */
  private void makeBehindACut() throws IOException {
    Path killed = directory("first");
    Path left = directory("second");
    Path earlier = directory("earlier");
    Scene scene = new Scene(directory("work"), Durability.OS, seed).open().work(MUCH);
    scene.snapshot().work(MUCH).killInto(killed).tear().keepIn(earlier);
    scene.open().work(MUCH).killInto(left);
    Scene other = new Scene(directory("foreign"), Durability.OS, seed + 1).open().work(MUCH);
    other.close().open().work(MUCH).close();
    all.add(
        Ground.of(
            "killed behind a cut",
            Durability.OS,
            left,
            earlier,
            directory("foreign"),
            scene.history,
            false));
  }

  /** A process that was killed by the system, and not only left as if it had been. */
  private void makeKilled() throws Exception {
    Path work = directory("work");
    Path earlier = directory("earlier");
    History history = new History();
    Process child =
        Java.command(Child.class, work.toString(), earlier.toString(), Long.toString(seed))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader output = child.inputReader()) {
      for (String line = output.readLine(); !"ready".equals(line); line = output.readLine()) {
        if (line == null) {
          throw new IOException("the child ended with " + child.waitFor());
        }
        history.read(line);
      }
    } finally {
      child.destroyForcibly();
    }
    if (!child.waitFor(60, TimeUnit.SECONDS)) {
      throw new IOException("the child does not end");
    }
    Scene other = new Scene(directory("foreign"), Durability.DISK, seed + 1).open().work(MUCH);
    other.close();
    all.add(
        Ground.of(
            "killed by kill -9",
            Durability.DISK,
            work,
            earlier,
            directory("foreign"),
            history,
            false));
  }

  /** Works in a directory, says what was acknowledged, and waits to be killed. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) throws Exception {
      Scene scene = new Scene(Path.of(args[0]), Durability.DISK, Long.parseLong(args[2]));
      scene.open().work(MUCH).snapshot().work(LITTLE).close().keepIn(Path.of(args[1]));
      scene.open().work(MUCH);
      scene.history.lines().forEach(System.out::println);
      System.out.println("ready");
      Thread.sleep(TimeUnit.MINUTES.toMillis(5));
    }
  }
}
