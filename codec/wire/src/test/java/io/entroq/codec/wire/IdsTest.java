package io.entroq.codec.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IdsTest {
  private static final String ZERO_UUID = "00000000-0000-0000-0000-000000000000";

  @ParameterizedTest
  @CsvSource({
    "01234567-89ab-cdef-0123-456789abcdef, 0123456789abcdef, 0123456789abcdef",
    "f1234567-89ab-cdef-f123-456789abcdef, f123456789abcdef, f123456789abcdef",
    "00000000-0000-0001-0000-000000000000, 0000000000000001, 0000000000000000",
    "0123456789abcdef, 0000000000000000, 0123456789abcdef",
    "ffffffffffffffff, 0000000000000000, ffffffffffffffff",
    "0000000000000001, 0000000000000000, 0000000000000001",
  })
  void shouldGiveBackTheTextFromTheKey(String text, String high, String low) {
    IdKey key = Ids.ofV1(text);
    assertThat(key.high()).isEqualTo(Long.parseUnsignedLong(high, 16));
    assertThat(key.low()).isEqualTo(Long.parseUnsignedLong(low, 16));
    assertThat(key.text()).isEmpty();
    assertThat(key.v1Text()).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ZERO_UUID,
        "00000000-0000-0000-0000-000000000001",
        "0000000000000000",
        "01234567-89AB-cdef-0123-456789abcdef",
        "0123456789ABCDEF",
        "0123456789abcdeg",
        "01234567-89ab-cdef-0123+456789abcdef",
        "0123456789abcdef0123456789abcdef",
        "urn:uuid:01234567-89ab-cdef-0123-456789abcdef",
        "x",
        " ",
        "\u0000",
        "sub#0123456789abcdef",
        "Zürich €\uD83D\uDE00",
      })
  void shouldKeepAnyOtherTextBesideAVersion8Key(String text) {
    IdKey key = Ids.ofV1(text);
    UUID uuid = new UUID(key.high(), key.low());
    assertThat(uuid.version()).isEqualTo(8);
    assertThat(uuid.variant()).isEqualTo(2);
    assertThat(key.text()).isEqualTo(text);
    assertThat(key.v1Text()).isEqualTo(text);
    assertThat(key.v0Text()).isEqualTo(uuid.toString());
    assertThat(Ids.ofV1(text)).isEqualTo(key);
  }

  @Test
  void shouldMakeTheKeyOfATextFromItsSha256() {
    // SHA-256("abc") = ba7816bf 8f01cfea 414140de 5dae2223 ...
    assertThat(Ids.ofV1("abc").v0Text()).isEqualTo("ba7816bf-8f01-8fea-8141-40de5dae2223");
  }

  @Test
  void shouldShowNobodyAsEmptyTextAndZeroUuid() {
    assertThat(Ids.ofV1("")).isEqualTo(IdKey.NOBODY);
    assertThat(Ids.ofV0(ZERO_UUID)).isEqualTo(IdKey.NOBODY);
    assertThat(IdKey.NOBODY.isNobody()).isTrue();
    assertThat(IdKey.NOBODY.v1Text()).isEmpty();
    assertThat(IdKey.NOBODY.v0Text()).isEqualTo(ZERO_UUID);
    assertThat(Ids.ofV1("x").isNobody()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "01234567-89ab-cdef-0123-456789abcdef",
        "01234567-89AB-CDEF-0123-456789ABCDEF",
        "0123456789abcdef0123456789abcdef",
        "0123456789ABCDEF0123456789abcdef",
        "urn:uuid:01234567-89ab-cdef-0123-456789abcdef",
        "URN:UUID:01234567-89ab-cdef-0123-456789ABCDEF",
        "{01234567-89ab-cdef-0123-456789abcdef}",
      })
  void shouldReadEveryFormOfAUuidInV0(String text) {
    assertThat(Ids.ofV0(text).v0Text()).isEqualTo("01234567-89ab-cdef-0123-456789abcdef");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "0123456789abcdef",
        "0123456789abcdef0123456789abcdeg",
        "{0123456789abcdef0123456789abcdef}",
        "{01234567-89ab-cdef-0123-456789abcdef",
        "urn:uuid:0123456789abcdef0123456789abcdef",
        "01234567-89ab-cdef-0123-456789abcdef ",
        "01234567-89ab-cdef-0123456789abcdef",
      })
  void shouldRefuseWhatIsNoUuidInV0(String text) {
    assertThatThrownBy(() -> Ids.ofV0(text))
        .isInstanceOf(InvalidIdException.class)
        .hasMessage("not a UUID: \"" + text + "\"");
  }

  @Test
  void shouldShowAnIdOfEachApiInTheOther() {
    IdKey short1 = Ids.ofV1("0123456789abcdef");
    assertThat(Ids.ofV0(short1.v0Text())).isEqualTo(short1);
    IdKey odd = Ids.ofV1("odd");
    IdKey seen = Ids.ofV0(odd.v0Text());
    assertThat(seen.high()).isEqualTo(odd.high());
    assertThat(seen.low()).isEqualTo(odd.low());
  }

  @Test
  void shouldTakeUpTo1024BytesOfUtf8() {
    assertThat(Ids.ofV1("x".repeat(1024)).v1Text()).hasSize(1024);
    assertThat(Ids.ofV1("é".repeat(512)).v1Text()).hasSize(512);
    assertThatThrownBy(() -> Ids.ofV1("x".repeat(1025)))
        .isInstanceOf(InvalidIdException.class)
        .hasMessage("an id of 1025 bytes, the limit is 1024");
    assertThatThrownBy(() -> Ids.ofV1("é".repeat(512) + "x"))
        .isInstanceOf(InvalidIdException.class);
    assertThatThrownBy(() -> Ids.ofV1("\uD800"))
        .isInstanceOf(InvalidIdException.class)
        .hasMessage("an id with an unpaired surrogate");
  }

  @Test
  void shouldMakeNewIdsInTheFormOfEachApi() {
    Set<IdKey> ids = new HashSet<>();
    for (int i = 0; i < 10_000; i++) {
      IdKey v0 = Ids.randomV0();
      assertThat(UUID.fromString(v0.v0Text()).version()).isEqualTo(4);
      assertThat(UUID.fromString(v0.v0Text()).variant()).isEqualTo(2);
      assertThat(Ids.ofV1(v0.v1Text())).isEqualTo(v0);
      IdKey v1 = Ids.randomV1();
      assertThat(v1.v1Text()).matches("[0-9a-f]{16}");
      assertThat(Ids.ofV1(v1.v1Text())).isEqualTo(v1);
      assertThat(ids.add(v0) && ids.add(v1)).isTrue();
    }
  }
}
