package io.entroq.api.redrive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrorShapeTest {
  private static final String ALPHABET = "ab19f-\"'`x0 \n#.é😀\t\u0001";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "timeout after 3000 ms | timeout after # ms",
        "order 17: no such user \"bob\" | order #: no such user \"...\"",
        "task 550e8400-e29b-41d4-a716-446655440000 is gone | task # is gone",
        "at 0x7f3a9c: bad checksum deadbeef01 | at #: bad checksum #",
        "can't parse 'x=1', isn't JSON | can't parse '...', isn't JSON",
        "open 'unfinished | open 'unfinished",
        "host db12.eu-1 refused | host db#.eu-# refused",
        "facade | facade",
      })
  void shouldReplaceWhatDiffersBetweenTasks(String err, String shape) {
    assertThat(ErrorShape.of(err)).isEqualTo(shape);
  }

  @Test
  void shouldTakeTheFirstLineThatIsNotBlank() {
    assertThat(ErrorShape.of("\n  \n java.io.IOException: disk 3\n\tat Foo.java:12\n"))
        .isEqualTo("java.io.IOException: disk #");
    assertThat(ErrorShape.of("")).isEmpty();
  }

  @Test
  void shouldHaveNothingThatFormsAndCommandLinesChange() {
    assertThat(ErrorShape.of("\u0001 disk\u0000 full\tat\u0085 a ")).isEqualTo("disk  full at  a");
    // The last place holds half of a character, and so does the end of what is looked at.
    String cut = ErrorShape.of("a".repeat(ErrorShape.CHARS_MAX - 1) + "😀");
    assertThat(cut).isEqualTo("a".repeat(ErrorShape.CHARS_MAX - 1));
    assertThat(ErrorShape.of("1".repeat(4 * ErrorShape.CHARS_MAX - 1) + "😀")).isEqualTo("#");
    assertThat(ErrorShape.of("a".repeat(ErrorShape.CHARS_MAX - 1) + " b"))
        .isEqualTo("a".repeat(ErrorShape.CHARS_MAX - 1));
  }

  @Test
  void shouldBeShortAndItsOwnShapeForAnyText() {
    long seed = Long.getLong("test.seed", System.nanoTime());
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder();
      int length = random.nextInt(60);
      for (int k = 0; k < length; k++) {
        text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
      }
      String shape = ErrorShape.of(text.toString());
      assertThat(ErrorShape.of(shape)).as("seed %d: %s", seed, text).isEqualTo(shape);
    }
    assertThat(ErrorShape.of("a\"".repeat(1_000_000)).length()).isEqualTo(ErrorShape.CHARS_MAX);
  }
}
