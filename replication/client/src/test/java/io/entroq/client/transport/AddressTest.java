package io.entroq.client.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.EntroQException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressTest {
  @Test
  void shouldReadHostAndPort() {
    assertThat(Address.of("queue.example.com:1234"))
        .isEqualTo(new Address("queue.example.com", 1_234));
    assertThat(Address.of(":1234")).isEqualTo(new Address("localhost", 1_234));
    assertThat(Address.of("10.0.0.1")).isEqualTo(new Address("10.0.0.1", Address.PORT_DEFAULT));
    assertThat(Address.of("[::1]:1234")).isEqualTo(new Address("[::1]", 1_234));
    assertThat(Address.of("[::1]")).isEqualTo(new Address("[::1]", Address.PORT_DEFAULT));
  }

  @Test
  void shouldReadLists() {
    assertThat(Address.list("a:1")).containsExactly(new Address("a", 1));
    assertThat(Address.list(" a:1, b ,[::1]:2 "))
        .containsExactly(
            new Address("a", 1), new Address("b", Address.PORT_DEFAULT), new Address("[::1]", 2));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", " ", ",", "a:1,", ",a:1", "a:1,,b:1", "a:1 b:1", "a:1;b:1", "a:1,b:x"})
  void shouldRefuseInvalidLists(String text) {
    assertThatThrownBy(() -> Address.list(text))
        .isInstanceOf(EntroQException.InvalidArgument.class)
        .hasMessageStartingWith("address");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a:1,b:1,a:1", "a:1,A:1", "a,a:37706", ":5,localhost:5"})
  void shouldRefuseRepeatedAddresses(String text) {
    assertThatThrownBy(() -> Address.list(text))
        .isInstanceOf(EntroQException.InvalidArgument.class)
        .hasMessageContaining("is repeated");
  }

  @ParameterizedTest
  @ValueSource(strings = {"host:", "host:x", "::1", "http://host:1", "a b", "host:0", "host:65536"})
  void shouldRefuseInvalidAddresses(String text) {
    assertThatThrownBy(() -> Address.of(text)).isInstanceOf(EntroQException.InvalidArgument.class);
  }
}
