package io.entroq.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.EntroQException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressRangeTest {
  private static InetAddress address(String text) throws UnknownHostException {
    return InetAddress.getByName(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0.0.0",
        "0.1.2.3",
        "10.0.0.1",
        "10.255.255.255",
        "100.64.0.1",
        "100.127.255.255",
        "127.0.0.1",
        "127.9.9.9",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.8",
        "192.168.1.1",
        "198.18.0.1",
        "198.19.255.255",
        "224.0.0.1",
        "239.1.2.3",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::ffff:127.0.0.1",
        "::7f00:1",
        "64:ff9b::7f00:1",
        "2001::1",
        "2002:7f00:1::",
        "2001:db8::1",
        "fc00::1",
        "fdff::1",
        "fe80::1",
        "febf::1",
        "fec0::1",
        "ff02::1"
      })
  void shouldNotCallSpecialAddressesPublic(String text) throws UnknownHostException {
    assertThat(AddressRange.isPublic(address(text))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.1.1.1",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.0",
        "169.253.255.255",
        "172.15.255.255",
        "172.32.0.0",
        "192.167.255.255",
        "192.169.0.0",
        "223.255.255.255",
        "2606:4700::1111",
        "2a00:1450::1"
      })
  void shouldCallOtherAddressesPublic(String text) throws UnknownHostException {
    assertThat(AddressRange.isPublic(address(text))).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "10.1.2.0/24,10.1.2.255,true",
    "10.1.2.0/24,10.1.3.0,false",
    "10.1.2.128/25,10.1.2.127,false",
    "10.1.2.3,10.1.2.3,true",
    "10.1.2.3,10.1.2.4,false",
    "0.0.0.0/0,8.8.8.8,true",
    "0.0.0.0/0,fd00::1,false",
    "fd00::/8,fdab::1,true",
    "::1,::1,true",
    "::ffff:10.0.0.0/8,10.9.9.9,true"
  })
  void shouldContainWhatSharesItsBits(String range, String text, boolean expected)
      throws UnknownHostException {
    assertThat(AddressRange.parse(range).contains(address(text))).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/8",
        "10",
        "10.0.0",
        "10.0.0.0/",
        "10.0.0.0/33",
        "10.0.0.0/-1",
        "10.0.0.0/8/8",
        "10.0.0.256/8",
        "::/129",
        "localhost",
        "example.com/8",
        "[::1]",
        "10.0.0.0 /8"
      })
  void shouldRefuseOtherTexts(String text) {
    assertThatThrownBy(() -> AddressRange.parse(text))
        .isInstanceOf(EntroQException.InvalidArgument.class)
        .hasMessageContaining("'" + text + "' is not a range of addresses such as 10.0.0.0/8");
  }
}
