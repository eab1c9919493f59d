package io.entroq.service.collector;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CollectionTimeTest {
  @ParameterizedTest
  @CsvSource({
    "/jobs/gc=1800000000, 1800000000000",
    "gc=7, 7000",
    "/jobs/gc=0, 0",
    "/jobs/gc=, 0",
    "/jobs/gc=/after, 0",
    "/gc=5/jobs, 5000",
    "/jobs/day=5;gc=9, 9000",
    "/jobs/gc=9;day=5, 9000",
    "/gc=1/jobs/gc=2, 2000",
    "/gc=1;gc=3, 3000",
    "/jobs/gc=2026-11-23T08:00:00Z, 1795420800000",
    "/jobs/gc=2026-11-23T08:00:00.25+01:00, 1795417200250",
    "/jobs/gc=999999999999, 999999999999000",
  })
  void shouldReadTheLastParameter(String name, long timeMs) {
    assertThat(CollectionTime.of(name)).isEqualTo(timeMs);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "jobs", "/jobs/gc", "/jobs/xgc=5", "gc =5", "/a=gc=5", "GC=5"})
  void shouldNeverCollectWithoutTheParameter(String name) {
    assertThat(CollectionTime.of(name)).isEqualTo(CollectionTime.NEVER);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/jobs/gc=-5",
        "/jobs/gc=soon",
        "/jobs/gc= 5",
        "/jobs/gc=5.5",
        "/jobs/gc=2026-11-23",
        "/jobs/gc=2026-11-23T08:00:00",
        "/jobs/gc=2026-11-23T08:00Z",
        "/jobs/gc=2026-11-23T08:00:00+01",
        "/jobs/gc=2026-13-23T08:00:00Z",
        "/jobs/gc=1000000000000",
        "/jobs/gc=99999999999999999999999",
        "/jobs/gc=+999999999-12-31T23:59:59Z",
        "/jobs/gc=-999999999-01-01T00:00:00Z",
        "/jobs/gc=\u0665",
        "/gc=5/jobs/gc=x",
      })
  void shouldNotGuessWhatIsMalformed(String name) {
    assertThat(CollectionTime.of(name)).isEqualTo(CollectionTime.MALFORMED);
  }
}
