package io.entroq.engine.idfilter;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.wire.IdKey;
import io.entroq.engine.idfilter.IdStretch.Part;
import io.entroq.engine.idfilter.IdStretch.Point;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdFilterFileTest {
  private static final Point BEGIN = new Point(100, 0x1111);
  private static final Point END = new Point(200, 0x2222);

  private final long seed = Long.getLong("test.seed", 3);

  private static IdFilter filter(Random random, int ids) {
    IdFilter filter = new IdFilter();
    for (int i = 0; i < ids; i++) {
      filter.add(random.nextLong(), random.nextLong());
    }
    return filter;
  }

  private static byte[] file(Part... parts) {
    return IdFilterFile.of(new IdStretch(7, 9, BEGIN, END, List.of(parts)));
  }

  private static long quietAfter(byte[] file, long high, long low) {
    return IdFilterFile.parse(file).quietAfter(List.of(new IdKey(high, low, "")));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10, 11, 500, 40_960, 40_961, IdFilter.IDS_MAX, 3 * IdFilter.IDS_MAX})
  void shouldFindAllIdsAndFewOthers(int ids) {
    IdFilter filter = filter(new Random(seed), ids);
    byte[] file = file(new Part(200, filter, true));
    IdFilterFile parsed = IdFilterFile.parse(file);
    Random again = new Random(seed);
    for (int i = 0; i < ids; i++) {
      IdKey id = new IdKey(again.nextLong(), again.nextLong(), "");
      assertThat(parsed.quietAfter(List.of(id))).isEqualTo(200);
    }
    int wrong = 0;
    for (int i = 0; i < 20_000; i++) {
      IdKey id = new IdKey(again.nextLong(), again.nextLong(), "");
      wrong += parsed.quietAfter(List.of(id)) == 200 ? 1 : 0;
    }
    assertThat(wrong).as("of 20,000").isLessThan(ids <= IdFilter.IDS_MAX ? 20 : 3_000);
    assertThat(file.length).isLessThan(200 + ids * 8);
  }

  /** Ids that differ little, as those of callers who count. */
  @Test
  void shouldSpreadIdsThatAreCounted() {
    IdFilter filter = new IdFilter();
    for (int i = 0; i < IdFilter.IDS_MAX; i++) {
      filter.add(0, i);
    }
    byte[] file = file(new Part(200, filter, true));
    int wrong = 0;
    for (int i = 1; i <= 20_000; i++) {
      wrong += quietAfter(file, 0, -i) == 200 ? 1 : 0;
    }
    assertThat(wrong).isLessThan(20);
  }

  @Test
  void shouldSayAfterWhichPartNothingFollows() {
    IdFilter first = new IdFilter();
    first.add(1, 1);
    first.add(2, 2);
    IdFilter second = new IdFilter();
    second.add(2, 2);
    byte[] file =
        file(
            new Part(120, first, true),
            new Part(150, second, true),
            new Part(160, null, true),
            new Part(200, new IdFilter(), true));
    assertThat(quietAfter(file, 1, 1)).isEqualTo(120);
    assertThat(quietAfter(file, 2, 2)).isEqualTo(150);
    assertThat(quietAfter(file, 3, 3)).isEqualTo(100);
    assertThat(IdFilterFile.parse(file).quietAfter(List.of())).isEqualTo(100);
    IdFilterFile parsed = IdFilterFile.parse(file);
    List<IdKey> both = List.of(new IdKey(3, 3, ""), new IdKey(1, 1, ""));
    assertThat(parsed.quietAfter(both)).isEqualTo(120);
    byte[] blind = file(new Part(150, first, true), new Part(200, null, false));
    assertThat(quietAfter(blind, 3, 3)).isEqualTo(200);
  }

  @Test
  void shouldGoBackThroughStretchesOfOneHistory() {
    QuietLog quiet = new QuietLog(List.of(new IdKey(1, 1, "")));
    IdFilter has = new IdFilter();
    has.add(1, 1);
    Point middle = new Point(150, 0x3333);
    quiet.add(parsed(BEGIN, middle, new Part(120, has, true), new Part(150, null, true)));
    quiet.add(parsed(middle, END, new Part(200, null, true)));
    quiet.add(parsed(END, new Point(300, 0x4444), new Part(300, has, true)));
    assertThat(quiet.before(200, 0x2222, 7, 9)).isEqualTo(120);
    assertThat(quiet.before(150, 0x3333, 7, 9)).isEqualTo(120);
    assertThat(quiet.before(300, 0x4444, 7, 9)).isEqualTo(300);
    assertThat(quiet.before(200, 0x2223, 7, 9)).as("another history").isEqualTo(200);
    assertThat(quiet.before(200, 0x2222, 7, 8)).as("another log").isEqualTo(200);
    assertThat(quiet.before(100, 0x1111, 7, 9)).as("nothing is known").isEqualTo(100);

    // The stretch before is of another history.
    quiet.add(parsed(BEGIN, new Point(150, 0x3334), new Part(150, null, true)));
    assertThat(quiet.before(200, 0x2222, 7, 9)).isEqualTo(150);
  }

  private static IdFilterFile parsed(Point begin, Point end, Part... parts) {
    return IdFilterFile.parse(IdFilterFile.of(new IdStretch(7, 9, begin, end, List.of(parts))));
  }

  @Test
  void shouldRefuseEachDamagedByte() {
    byte[] file = file(new Part(150, filter(new Random(seed), 3), true), new Part(200, null, true));
    assertThat(IdFilterFile.parse(file)).isNotNull();
    for (int i = 0; i < file.length; i++) {
      byte[] damaged = file.clone();
      damaged[i] ^= 0x10;
      assertThat(IdFilterFile.parse(damaged)).as("byte %d", i).isNull();
      assertThat(IdFilterFile.parse(java.util.Arrays.copyOf(file, i))).as("%d bytes", i).isNull();
    }
    assertThat(IdFilterFile.parse(java.util.Arrays.copyOf(file, file.length + 1))).isNull();
  }

  /** Each field wrong, and the checksum right. */
  @Test
  void shouldRefuseFieldsThatDoNotFit() {
    byte[] file = file(new Part(150, null, true), new Part(200, null, true));
    int first = 64;
    int second = first + 16 + 32;
    assertThat(with(file, 0, 0)).isNull();
    assertThat(with(file, 8, 2)).as("a later version").isNull();
    for (int parts : new int[] {0, 1, 3, -1, Integer.MAX_VALUE}) {
      assertThat(with(file, 12, parts)).as("%d parts", parts).isNull();
    }
    for (int last : new int[] {0, 100, 200, 201}) {
      assertThat(with(file, first, last)).as("first ends at %d", last).isNull();
    }
    for (int blocks : new int[] {0, 2, 3, 8_192, 16_384, -1, Integer.MIN_VALUE}) {
      assertThat(with(file, first + 8, blocks)).as("%d blocks", blocks).isNull();
      assertThat(with(file, second + 8, blocks)).as("%d blocks", blocks).isNull();
    }
    assertThat(with(file, second, 199)).isNull();
    assertThat(with(file, second, 200)).as("as it was").isNotNull();
  }

  private static IdFilterFile with(byte[] file, int offset, int value) {
    byte[] changed = file.clone();
    UnsafeBuffer into = new UnsafeBuffer(changed);
    into.putInt(offset, value, ByteOrder.LITTLE_ENDIAN);
    CRC32C crc = new CRC32C();
    crc.update(changed, 0, changed.length - 4);
    into.putInt(changed.length - 4, (int) crc.getValue(), ByteOrder.LITTLE_ENDIAN);
    return IdFilterFile.parse(changed);
  }

  private static byte[] ofVersion1() {
    IdFilter few = new IdFilter();
    few.add(1, 1);
    few.add(0x0123_4567_89AB_CDEFL, 0xFEDC_BA98_7654_3210L);
    IdFilter more = new IdFilter();
    for (int i = 0; i < 15; i++) {
      more.add(i, 31L * i);
    }
    return file(
        new Part(130, few, true),
        new Part(160, more, true),
        new Part(180, null, true),
        new Part(200, null, false));
  }

  @Test
  void shouldWriteAndReadTheBytesOfVersion1() throws IOException {
    byte[] golden = golden();
    assertThat(HexFormat.of().formatHex(ofVersion1())).isEqualTo(HexFormat.of().formatHex(golden));
    IdFilterFile parsed = IdFilterFile.parse(golden);
    assertThat(parsed.begin()).isEqualTo(BEGIN);
    assertThat(parsed.end()).isEqualTo(END);
    assertThat(parsed.logIdHigh()).isEqualTo(7);
    assertThat(parsed.logIdLow()).isEqualTo(9);
  }

  private static byte[] golden() throws IOException {
    try (InputStream in =
        IdFilterFileTest.class.getResourceAsStream("/golden/id-filter-v1/ids.hex")) {
      String text = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
      return HexFormat.of().parseHex(text.replaceAll("\\s", ""));
    }
  }
}
