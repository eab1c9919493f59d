package io.entroq.server.damage;

import io.entroq.engine.log.SegmentLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;

/** Everything that is done to one directory, each kind at each of its places. */
final class Harms {
  private final Ground ground;
  private final SplittableRandom random;
  private final List<Harm> all = new ArrayList<>();

  private Harms(Ground ground, SplittableRandom random) {
    this.ground = ground;
    this.random = random;
  }

  static List<Harm> of(Ground ground, SplittableRandom random) throws IOException {
    Harms harms = new Harms(ground, random);
    harms.bytesOfSegments();
    harms.wholeSegments();
    harms.runs();
    harms.snapshots();
    harms.mark();
    return List.copyOf(harms.all);
  }

  private void add(String kind, String what, Harm.Deed deed, Path... files) {
    all.add(new Harm(kind, what, Set.of(files), deed));
  }

  // Bytes.

  private void bytesOfSegments() throws IOException {
    for (Path file : ground.segments()) {
      Path segment = ground.relative(file);
      List<FoundRecord> records = FoundRecord.in(file);
      int length = (int) Files.size(file);
      add("segment emptied", segment + "", truncate(segment, 0), segment);
      add("segment cut in its header", segment + "", truncate(segment, 100), segment);
      flip("bit in segment header", segment, random.nextInt(SegmentLayout.FIRST_RECORD_OFFSET));
      zero("segment zeroed", segment, 0, length);
      for (FoundRecord each : sample(records)) {
        flip("bit in record header", segment, each.offset() + random.nextInt(48));
        if (each.length() > 48) {
          flip("bit in payload", segment, each.offset() + 48 + random.nextInt(each.length() - 48));
        }
        flip("bit before record", segment, each.offset() - 1 - random.nextInt(4));
        add("cut at record", segment + " " + each, truncate(segment, each.offset() - 4), segment);
        int inside = each.offset() + 1 + random.nextInt(each.length() - 1);
        add("cut in record", segment + " at " + inside, truncate(segment, inside), segment);
        int from = each.offset() + random.nextInt(each.length());
        zero("page zeroed", segment, from, Math.min(length, from + 1 + random.nextInt(1_000)));
      }
    }
  }

  /** The first, the last, and one in between. */
  private List<FoundRecord> sample(List<FoundRecord> records) {
    int last = records.size() - 1;
    if (last < 2) {
      return records;
    }
    return List.of(records.get(0), records.get(1 + random.nextInt(last - 1)), records.get(last));
  }

  private static Harm.Deed truncate(Path file, long length) {
    return directory -> {
      try (FileChannel channel =
          FileChannel.open(directory.resolve(file), StandardOpenOption.WRITE)) {
        channel.truncate(length);
      }
    };
  }

  private void flip(String kind, Path file, int offset) {
    int bit = random.nextInt(8);
    Harm.Deed deed =
        directory -> {
          try (FileChannel channel =
              FileChannel.open(
                  directory.resolve(file), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            if (channel.read(one, offset) == 1) {
              one.put(0, (byte) (one.get(0) ^ 1 << bit)).rewind();
              channel.write(one, offset);
            }
          }
        };
    add(kind, file + " at " + offset + " bit " + bit, deed, file);
  }

  private void zero(String kind, Path file, int from, int to) {
    Harm.Deed deed =
        directory -> {
          Path there = directory.resolve(file);
          int end = (int) Math.min(to, Files.size(there));
          Tree.write(there, from, new byte[Math.max(0, end - from)]);
        };
    add(kind, "%s from %d to %d".formatted(file, from, to), deed, file);
  }

  // Whole segments.

  private void wholeSegments() throws IOException {
    List<Path> files = ground.segments().stream().map(ground::relative).toList();
    for (Path file : files) {
      delete("segment deleted", file);
      for (Path run : runsRelative()) {
        boolean isOwn = file.getParent().equals(run);
        Path behind = run.resolve(SegmentLayout.fileName(lastNumber(run) + 1));
        copy(isOwn ? "segment copied behind the last" : "copied to another run", file, behind);
        move(isOwn ? "segment renamed behind the last" : "moved to another run", file, behind);
      }
      Path gap = file.resolveSibling(SegmentLayout.fileName(lastNumber(file.getParent()) + 3));
      copy("segment copied behind a gap", file, gap);
      insertCopy(file);
      add(
          "foreign file added",
          file + ".bak",
          directory ->
              Files.copy(directory.resolve(file), directory.resolve(file + ".bak"), REPLACE),
          file,
          Path.of(file + ".bak"));
      for (Path other : files) {
        if (!other.equals(file)) {
          copy("segment replaced by another", file, other);
        }
        if (other.compareTo(file) > 0) {
          exchange("segments exchanged", file, other);
        }
      }
    }
    foreignSegments(files);
    staleSegments();
  }

  private static final StandardCopyOption REPLACE = StandardCopyOption.REPLACE_EXISTING;

  private List<Path> runsRelative() throws IOException {
    return Tree.children(ground.directory().resolve("log")).stream().map(ground::relative).toList();
  }

  private long lastNumber(Path run) throws IOException {
    long last = -1;
    for (Path file : Tree.children(ground.directory().resolve(run))) {
      last = Math.max(last, SegmentLayout.numberOf(file.getFileName().toString()));
    }
    return last;
  }

  private void delete(String kind, Path file) {
    Harm.Deed deed =
        directory -> {
          if (!Files.exists(directory.resolve(file))) {
            throw new java.nio.file.NoSuchFileException(file.toString());
          }
          Tree.delete(directory.resolve(file));
        };
    add(kind, file + "", deed, file);
  }

  private void copy(String kind, Path from, Path to) {
    Harm.Deed deed =
        directory -> {
          Tree.delete(directory.resolve(to));
          Tree.copy(directory.resolve(from), directory.resolve(to));
        };
    add(kind, from + " to " + to, deed, from, to);
  }

  private void move(String kind, Path from, Path to) {
    Harm.Deed deed =
        directory -> Files.move(directory.resolve(from), directory.resolve(to), REPLACE);
    add(kind, from + " to " + to, deed, from, to);
  }

  private void exchange(String kind, Path one, Path other) {
    Harm.Deed deed =
        directory -> {
          Path aside = directory.resolveSibling("aside");
          Files.move(directory.resolve(one), aside);
          Files.move(directory.resolve(other), directory.resolve(one));
          Files.move(aside, directory.resolve(other));
        };
    add(kind, one + " and " + other, deed, one, other);
  }

  /** The file once more right behind itself, and all that follow in its run one number on. */
  private void insertCopy(Path file) throws IOException {
    Path run = file.getParent();
    long number = SegmentLayout.numberOf(file.getFileName().toString());
    long last = lastNumber(run);
    Harm.Deed deed =
        directory -> {
          for (long each = last; each >= number; each--) {
            Path from = directory.resolve(run).resolve(SegmentLayout.fileName(each));
            Path to = directory.resolve(run).resolve(SegmentLayout.fileName(each + 1));
            if (each == number) {
              Files.copy(from, to);
            } else {
              Files.move(from, to);
            }
          }
        };
    Path behind = file.resolveSibling(SegmentLayout.fileName(number + 1));
    add("segment copied between", file + "", deed, file, behind);
  }

  private void foreignSegments(List<Path> files) throws IOException {
    List<Path> foreign = Tree.segments(ground.foreign());
    for (Path file : files) {
      Path from = foreign.get(random.nextInt(foreign.size()));
      add(
          "segment of another log in its place",
          file + "",
          directory -> Files.copy(from, existing(directory.resolve(file)), REPLACE),
          file);
    }
    for (Path run : runsRelative()) {
      Path from = foreign.get(random.nextInt(foreign.size()));
      Path to = run.resolve(SegmentLayout.fileName(lastNumber(run) + 1));
      add(
          "segment of another log behind the last",
          to + "",
          directory -> Files.copy(from, directory.resolve(to), REPLACE),
          to);
    }
  }

  private static Path existing(Path file) throws IOException {
    if (!Files.exists(file)) {
      throw new java.nio.file.NoSuchFileException(file.toString());
    }
    return file;
  }

  private void staleSegments() throws IOException {
    if (!ground.hasEarlier()) {
      return;
    }
    for (Path from : Tree.segments(ground.earlier())) {
      Path file = ground.earlier().relativize(from);
      boolean isThere = Files.exists(ground.directory().resolve(file));
      if (isThere && Files.mismatch(from, ground.directory().resolve(file)) < 0) {
        continue;
      }
      add(
          isThere ? "stale segment" : "removed segment put back",
          file + "",
          directory -> {
            Files.createDirectories(directory.resolve(file).getParent());
            Files.copy(from, directory.resolve(file), REPLACE);
          },
          file);
    }
  }

  // Runs.

  private void runs() throws IOException {
    List<Path> runs = runsRelative();
    Path newest = runs.get(runs.size() - 1);
    for (Path run : runs) {
      int number = numberOf(run);
      long first = firstOf(run);
      delete("run deleted", run);
      move("run renumbered", run, name(numberOf(newest) + 5, first));
      move("run with the highest number", run, name(999_999_999, first));
      move("run named for another record", run, name(number, first + 1));
      if (first > 1) {
        move("run named for another record", run, name(number, first - 1));
      }
      copy("run copied behind the last", run, name(numberOf(newest) + 1, first));
      copy("run copied with its number", run, name(number, first + 3));
      for (Path other : runs) {
        if (other.compareTo(run) > 0) {
          exchangeNumbers(run, other);
        }
      }
    }
    Path empty = name(numberOf(newest) + 1, firstOf(newest));
    add("empty run", empty + "", directory -> Files.createDirectories(directory.resolve(empty)));
    foreignRun(newest);
  }

  private void exchangeNumbers(Path one, Path other) {
    Path oneAfter = name(numberOf(other), firstOf(one));
    Path otherAfter = name(numberOf(one), firstOf(other));
    Harm.Deed deed =
        directory -> {
          Files.move(directory.resolve(one), directory.resolve(oneAfter));
          Files.move(directory.resolve(other), directory.resolve(otherAfter));
        };
    add("runs exchanged", one + " and " + other, deed, one, other, oneAfter, otherAfter);
  }

  private void foreignRun(Path newest) throws IOException {
    List<Path> foreign = Tree.children(ground.foreign().resolve("log"));
    Path from = foreign.get(foreign.size() - 1);
    Path behind = name(numberOf(newest) + 1, firstOf(Path.of("log").resolve(from.getFileName())));
    add(
        "run of another log behind the last",
        behind + "",
        directory -> Tree.copy(from, directory.resolve(behind)),
        behind);
    Path next = name(numberOf(newest) + 1, ground.lastSequence() + 1);
    add(
        "run of another log that seems to go on",
        next + "",
        directory -> Tree.copy(from, directory.resolve(next)),
        next);
  }

  private static int numberOf(Path run) {
    return Integer.parseInt(run.getFileName().toString().split("-", -1)[1]);
  }

  private static long firstOf(Path run) {
    return Long.parseLong(run.getFileName().toString().split("-", -1)[2]);
  }

  private static Path name(int number, long first) {
    return Path.of("log", String.format(Locale.ROOT, "run-%06d-%020d", number, first));
  }

  // Snapshots.

  private void snapshots() throws IOException {
    List<Path> snapshots = children(ground.directory());
    for (Path snapshot : snapshots) {
      Path state = snapshot.resolve("state");
      Path manifest = snapshot.resolve("manifest");
      for (Path file : List.of(state, manifest)) {
        int length = (int) Files.size(ground.directory().resolve(file));
        String part = file.getFileName().toString();
        flip("bit in " + part + " of a snapshot", file, random.nextInt(length));
        int half = random.nextInt(length);
        add(part + " of a snapshot cut", file + "", truncate(file, half), file);
        zero(part + " of a snapshot zeroed", file, 0, length);
        delete(part + " of a snapshot deleted", file);
      }
      delete("snapshot deleted", snapshot);
      long sequence = sequenceOf(snapshot);
      copy("snapshot copied to a higher record", snapshot, snapshotName(ground.lastSequence() + 9));
      copy("snapshot copied to a lower record", snapshot, snapshotName(sequence - 1));
      move("snapshot renamed to a later record", snapshot, snapshotName(sequence + 2));
      move("snapshot renamed to an earlier record", snapshot, snapshotName(sequence - 2));
      for (Path other : snapshots) {
        if (other.compareTo(snapshot) > 0) {
          exchange("snapshots exchanged", snapshot, other);
          exchange("states exchanged", state, other.resolve("state"));
        }
      }
    }
    foreignSnapshots(children(ground.foreign()), ground.foreign(), "snapshot of another log");
    if (ground.hasEarlier()) {
      foreignSnapshots(children(ground.earlier()), ground.earlier(), "removed snapshot put back");
    }
  }

  private List<Path> children(Path directory) throws IOException {
    List<Path> names = new ArrayList<>();
    for (Path each : Tree.children(directory.resolve("snapshots"))) {
      names.add(Path.of("snapshots").resolve(each.getFileName()));
    }
    return names;
  }

  private void foreignSnapshots(List<Path> snapshots, Path directory, String kind) {
    for (Path snapshot : snapshots) {
      if (directory.equals(ground.earlier())
          && Files.exists(ground.directory().resolve(snapshot))) {
        continue;
      }
      add(
          kind,
          snapshot + "",
          target -> {
            Tree.delete(target.resolve(snapshot));
            Tree.copy(directory.resolve(snapshot), target.resolve(snapshot));
          },
          snapshot);
    }
  }

  private static long sequenceOf(Path snapshot) {
    return Long.parseLong(snapshot.getFileName().toString().split("-", -1)[1]);
  }

  private static Path snapshotName(long sequence) {
    return Path.of("snapshots", String.format(Locale.ROOT, "snapshot-%020d", sequence));
  }

  // The mark of a log that was closed.

  private void mark() throws IOException {
    Path mark = Path.of("closed");
    if (Files.exists(ground.directory().resolve(mark))) {
      int length = (int) Files.size(ground.directory().resolve(mark));
      flip("bit in mark", mark, random.nextInt(length));
      delete("mark deleted", mark);
    }
    Path foreign = ground.foreign().resolve(mark);
    if (Files.exists(foreign)) {
      add(
          "mark of another log",
          mark + "",
          directory -> Files.copy(foreign, directory.resolve(mark), REPLACE),
          mark);
    }
  }
}
