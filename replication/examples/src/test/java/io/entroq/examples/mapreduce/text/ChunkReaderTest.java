package io.entroq.examples.mapreduce.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.examples.mapreduce.Corpus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChunkReaderTest {
  @TempDir private Path root;
  private Path file;

  @BeforeEach
  void nameFile() {
    file = root.resolve("text");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 7, 16, 63, 300})
  void shouldCountEveryWordOnceWhereverTheFileIsCut(int chunkBytes) throws IOException {
    Random random = Corpus.random("shouldCountEveryWordOnceWhereverTheFileIsCut");
    for (int round = 0; round < 40; round++) {
      Files.write(file, Corpus.text(random, 1 + random.nextInt(700)));
      assertThat(inChunks(chunkBytes)).isEqualTo(direct());
    }
  }

  @Test
  void shouldCountAWordWhereItBeginsWhenItSpansManyChunks() throws IOException {
    write("one two" + "o".repeat(20) + " three");
    ListedFile listed = listed();
    assertThat(ChunkReader.count(root, new Chunk(listed, 0, 6)).entries())
        .extracting(Object::toString)
        .containsExactlyInAnyOrder("one=1", "two" + "o".repeat(20) + "=1");
    assertThat(ChunkReader.count(root, new Chunk(listed, 6, 12)).total()).isZero();
    assertThat(ChunkReader.count(root, new Chunk(listed, 12, listed.size())).of("three")).isOne();
  }

  @Test
  void shouldNotBreakALetterWhenTheBorderIsInsideIt() throws IOException {
    write("語 語");
    assertThat(inChunks(1).of("語")).isEqualTo(2);
    assertThat(inChunks(2).of("語")).isEqualTo(2);
  }

  @Test
  void shouldCountTheFirst64LettersWhenARunIsLonger() throws IOException {
    write("語".repeat(65) + "," + "b".repeat(64) + ",c");
    for (int chunkBytes = 1; chunkBytes < 100; chunkBytes++) {
      WordCounts counts = inChunks(chunkBytes);
      assertThat(counts.distinct()).isEqualTo(3);
      assertThat(counts.of("語".repeat(64))).isOne();
      assertThat(counts.of("b".repeat(64))).isOne();
    }
  }

  @Test
  void shouldPartWordsWhenBytesAreNotUtf8() throws IOException {
    Files.write(
        file, new byte[] {'a', (byte) 0xC3, 'b', (byte) 0x80, (byte) 0x80, 'c', (byte) 0xE8});
    assertThat(inChunks(1)).isEqualTo(direct());
    assertThat(direct().distinct()).isEqualTo(3);
  }

  @Test
  void shouldCountInLowerCase() throws IOException {
    write("Élan éLAN snake_case x2 3.5");
    assertThat(direct().entries())
        .extracting(Object::toString)
        .containsExactlyInAnyOrder("élan=2", "snake=1", "case=1", "x2=1", "3=1", "5=1");
  }

  @Test
  void shouldHaveNoChunksWhenAFileIsEmpty() throws IOException {
    write("");
    assertThat(listed().chunks(10)).isEmpty();
  }

  @Test
  void shouldRefuseAFileThatIsShorterThanItWas() throws IOException {
    write("abc def");
    Chunk chunk = new Chunk(listed(), 0, 7);
    write("abc");
    assertThatThrownBy(() -> ChunkReader.count(root, chunk))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("ends at byte 3");
  }

  private void write(String text) throws IOException {
    Files.write(file, text.getBytes(StandardCharsets.UTF_8));
  }

  private ListedFile listed() throws IOException {
    return ListedFile.of(root, file, Files.readAttributes(file, BasicFileAttributes.class));
  }

  private WordCounts inChunks(int chunkBytes) throws IOException {
    WordCounts counts = new WordCounts();
    for (Chunk chunk : listed().chunks(chunkBytes)) {
      counts.addAll(ChunkReader.count(root, chunk));
    }
    return counts;
  }

  private WordCounts direct() throws IOException {
    DirectCount count = new DirectCount();
    count.add(file);
    return count.counts();
  }
}
