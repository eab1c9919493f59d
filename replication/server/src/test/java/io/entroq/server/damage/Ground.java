package io.entroq.server.damage;

import io.entroq.api.Durability;
import io.entroq.codec.record.RecordType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A directory that engines have left, with what is known of it.
 *
 * @param name for people
 * @param directory never damaged itself
 * @param earlier what it was at some time before; null if nobody kept that
 * @param foreign the directory of another queue, made in the same way
 * @param truth the hash of each record that counts, by sequence
 * @param places the segment of each record, by its number among all, also of those that were cut
 *     off
 * @param isClosed whether the last engine was closed in order
 */
record Ground(
    String name,
    Durability level,
    Path directory,
    Path earlier,
    Path foreign,
    History history,
    Map<Long, Integer> truth,
    Map<FoundRecord, Integer> places,
    boolean isClosed) {

  static Ground of(
      String name,
      Durability level,
      Path directory,
      Path earlier,
      Path foreign,
      History history,
      boolean isClosed)
      throws IOException {
    for (Path each : List.of(directory, earlier, foreign)) {
      Tree.shorten(each);
    }
    Map<Long, Integer> truth = new HashMap<>();
    Map<FoundRecord, Integer> places = new HashMap<>();
    List<Path> segments = Tree.segments(directory);
    for (Path segment : segments) {
      for (FoundRecord each : FoundRecord.in(segment)) {
        if (each.type() == RecordType.CUT) {
          truth.keySet().removeIf(sequence -> sequence >= each.sequence());
        }
        truth.put(each.sequence(), each.hash());
        places.put(each, segments.indexOf(segment));
      }
    }
    return new Ground(
        name,
        level,
        directory,
        earlier,
        foreign,
        history,
        Map.copyOf(truth),
        Map.copyOf(places),
        isClosed);
  }

  /** The last record that can be read in it. */
  long lastSequence() {
    return truth.keySet().stream().mapToLong(Long::longValue).max().orElseThrow();
  }

  boolean isTrue(FoundRecord record) {
    Integer hash = truth.get(record.sequence());
    return hash != null && hash == record.hash();
  }

  /**
   * The first segment in a damaged copy that is of another log, or lies behind one that it should
   * lie before, and has a record behind this one; null if there is none.
   */
  Path misplacedBehind(long sequence, Path damaged) throws IOException {
    int last = -1;
    for (Path file : Tree.segments(damaged)) {
      List<FoundRecord> records = FoundRecord.in(file);
      if (records.stream().noneMatch(record -> record.sequence() > sequence)) {
        continue;
      }
      int place = records.stream().mapToInt(each -> places.getOrDefault(each, -1)).max().orElse(-1);
      if (place <= last) {
        return file;
      }
      last = place;
    }
    return null;
  }

  /** Whether a later run has cut off the end of one before it. */
  boolean isCut() {
    return name.equals("killed behind a cut");
  }

  List<Path> segments() throws IOException {
    return Tree.segments(directory);
  }

  /** A file or directory in the data directory, as seen from there. */
  Path relative(Path file) {
    return directory.relativize(file);
  }

  boolean hasEarlier() {
    return earlier != null && Files.isDirectory(earlier);
  }
}
