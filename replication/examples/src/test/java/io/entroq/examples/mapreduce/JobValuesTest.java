package io.entroq.examples.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Value;
import io.entroq.examples.mapreduce.text.Chunk;
import io.entroq.examples.mapreduce.text.ListedFile;
import io.entroq.examples.mapreduce.text.WordCounts;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Values decode to what was encoded. */
class JobValuesTest {
  private static final ListedFile FILE = new ListedFile("odd name\n 1 2", 1L << 40, 123);

  @Test
  void shouldReadAMapTaskWhosePathHoldsSpacesAndLines() {
    MapTask task = new MapTask(7, new Chunk(FILE, 5, 1L << 39));
    assertThat(MapTask.parse(task.format())).isEqualTo(task);
    assertThat(MapTask.isPoison(task.format())).isFalse();
    assertThat(MapTask.isPoison(MapTask.poison(3))).isTrue();
  }

  @Test
  void shouldReadAPageOfFiles() {
    ListedFile other = new ListedFile("b", 0, -1);
    assertThat(FilePage.parse(FilePage.format(FILE) + FilePage.format(other)))
        .containsExactly(FILE, other);
    assertThat(FilePage.parse("")).isEmpty();
  }

  @Test
  void shouldReadAJob() {
    Job job = new Job(Path.of("/some where"), 1, 2, 3, 4, 5, -6, 7, 8);
    assertThat(Job.parse(job.format())).isEqualTo(job);
  }

  @Test
  void shouldReadCountsOfAnySize() {
    WordCounts counts = new WordCounts();
    counts.add("a", 1);
    counts.add("語".repeat(64), 127);
    counts.add("b", 128);
    counts.add("c", Long.MAX_VALUE);
    Value value = CountsCodec.encode(300, counts);
    assertThat(CountsCodec.ordinal(value)).isEqualTo(300);
    assertThat(decoded(List.of(value))).isEqualTo(counts);
  }

  @Test
  void shouldSpreadManyCountsOverValues() {
    WordCounts counts = new WordCounts();
    for (int i = 0; i < 1_000; i++) {
      counts.add("word" + i, i + 1);
    }
    List<Value> values = CountsCodec.encode(5, counts, 1_000);
    assertThat(values).hasSizeGreaterThan(8).allMatch(value -> value.size() < 1_020);
    assertThat(values).allMatch(value -> CountsCodec.ordinal(value) == 5);
    assertThat(decoded(values)).isEqualTo(counts);
    assertThat(CountsCodec.encode(5, new WordCounts(), 1_000)).hasSize(1);
  }

  private static WordCounts decoded(List<Value> values) {
    WordCounts counts = new WordCounts();
    values.forEach(value -> CountsCodec.decode(value, counts));
    return counts;
  }
}
