package io.entroq.server.damage;

import io.entroq.engine.embedded.DrivenEngine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What engines have acknowledged in a directory, noted beside them by whoever asked. */
final class History {
  /** Digests of the state by the last record in it, for every record behind which one looked. */
  final TreeMap<Long, Digests> digests = new TreeMap<>();

  private final List<Event> events = new ArrayList<>();

  /** The last record that was acknowledged as the level promises it. */
  long acknowledged;

  record Digests(long history, long content) {}

  /**
   * A task as it was since a record.
   *
   * @param version negative: it was deleted
   */
  private record Event(long sequence, long id, int version) {}

  /** Notes the state of an engine, between two commands. */
  void note(DrivenEngine engine) {
    digests.put(
        engine.sequence(),
        new Digests(engine.machine().historyDigest(), engine.machine().contentDigest()));
  }

  /** Notes what the answer to a command has said of a task. */
  void task(long sequence, long id, int version) {
    events.add(new Event(sequence, id, version));
  }

  void deleted(long sequence, long id) {
    task(sequence, id, -1);
  }

  /** The versions of the tasks after a record. */
  Map<Long, Integer> tasksAt(long sequence) {
    Map<Long, Integer> tasks = new HashMap<>();
    for (Event each : events) {
      if (each.sequence > sequence) {
        continue;
      }
      if (each.version < 0) {
        tasks.remove(each.id);
      } else {
        tasks.put(each.id, each.version);
      }
    }
    return tasks;
  }

  /** As if nothing behind a record had ever been: it was cut off. */
  void forgetBehind(long sequence) {
    digests.tailMap(sequence, false).clear();
    events.removeIf(event -> event.sequence > sequence);
    acknowledged = Math.min(acknowledged, sequence);
  }

  /** As text, a line each, for {@link #read}. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    digests.forEach((at, each) -> lines.add("d " + at + " " + each.history + " " + each.content));
    events.forEach(each -> lines.add("e " + each.sequence + " " + each.id + " " + each.version));
    lines.add("a " + acknowledged);
    return lines;
  }

  /** The reverse of {@link #lines}. */
  void read(String line) {
    String[] words = line.split(" ");
    long first = Long.parseLong(words[1]);
    switch (words[0]) {
      case "d" ->
          digests.put(first, new Digests(Long.parseLong(words[2]), Long.parseLong(words[3])));
      case "e" -> task(first, Long.parseLong(words[2]), Integer.parseInt(words[3]));
      case "a" -> acknowledged = first;
      default -> throw new IllegalArgumentException(line);
    }
  }
}
