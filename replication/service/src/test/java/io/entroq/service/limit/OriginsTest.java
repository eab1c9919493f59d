package io.entroq.service.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OriginsTest {
  private final Origins origins = new Origins();

  @ParameterizedTest
  @CsvSource({
    "10.0.0.1, 10.0.0.1, true",
    "10.0.0.1, 10.0.0.2, false",
    "2001:db8:1:2::1, 2001:db8:1:2:ffff::9, true",
    "2001:db8:1:2::1, 2001:db8:1:3::1, false"
  })
  void shouldTreatAddressesOfOneHostAsOne(String first, String second, boolean isSame) {
    Origin origin = origins.enter(new InetSocketAddress(first, 1));
    assertThat(origins.enter(new InetSocketAddress(second, 2)) == origin).isEqualTo(isSame);
    assertThat(origins.count()).isEqualTo(isSame ? 1 : 2);
  }

  @Test
  void shouldForgetAnAddressWithItsLastConnection() {
    SocketAddress address = new InetSocketAddress("10.0.0.1", 1);
    Origin origin = origins.enter(address);
    assertThat(origins.enter(address)).isSameAs(origin);
    origins.leave(address);
    assertThat(origins.enter(address)).isSameAs(origin);
    origins.leave(address);
    origins.leave(address);
    assertThat(origins.count()).isZero();
    origins.leave(address);
  }

  @Test
  void shouldTreatRemotesWithoutAddressAsOne() {
    assertThat(origins.enter(null)).isSameAs(origins.enter(new SocketAddress() {}));
    assertThat(origins.count()).isEqualTo(1);
  }
}
