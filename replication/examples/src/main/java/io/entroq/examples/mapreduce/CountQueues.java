package io.entroq.examples.mapreduce;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The queues of one count.
 *
 * @param name of the count; counts of different names do not touch
 */
record CountQueues(String name) {
  /** Into how many parts words are divided; each is summed up by one reduce task. */
  private static final int PARTS = 4;

  /** How the names of all of them begin. */
  String prefix() {
    return "wordcount/" + name + "/";
  }

  /** Pieces of text. */
  String map() {
    return prefix() + "map";
  }

  /** Names of the queues of parts that are to be summed up. */
  String reduce() {
    return prefix() + "reduce";
  }

  /** The one task that says what the count is waiting for. */
  String plan() {
    return prefix() + "plan";
  }

  /** The sums of the parts. */
  String sums() {
    return prefix() + "sums";
  }

  /** The result, in one task. */
  String result() {
    return prefix() + "result";
  }

  /** Where the counts of each part are gathered. */
  List<String> parts() {
    return IntStream.range(0, PARTS).mapToObj(this::part).toList();
  }

  /** Where the counts of a word are gathered: the same on every JVM. */
  String partOf(String word) {
    return part(Math.floorMod(word.hashCode(), PARTS));
  }

  private String part(int number) {
    return prefix() + "part/" + number;
  }
}
