package io.entroq.service.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.entroq.service.limit.Limit;
import io.entroq.service.limit.Origin;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FirstRequestsTest {
  private static final ByteString CLIENT = ByteString.copyFromUtf8("a client");

  private final FirstRequests firsts = new FirstRequests();

  @Test
  void shouldLetNoConnectionHaveAllTheRoomForThoseThatWait() {
    Origin one = Origin.ofAddress().connection();
    CompletableFuture<Void> first = firsts.ended(CLIENT, one);
    CompletableFuture<Void> last = first;
    for (int i = 1; i < Limit.EARLY_REQUESTS.standard() && last != null; i++) {
      last = firsts.ended(CLIENT, one);
    }
    assertThat(last).as("it has its share").isNull();
    assertThat(firsts.ended(CLIENT, Origin.ofAddress().connection())).isNotNull();
    firsts.end(CLIENT, FirstRequests.Outcome.TAKEN);
    assertThat(first).isCompleted();
    assertThat(one.taken(Limit.EARLY_REQUESTS)).isZero();
    assertThat(firsts.ended(CLIENT, one)).isNotNull();
  }

  @Test
  void shouldForgetWhoeverHasWaitedForAFirstRequestThatDoesNotCome() throws Exception {
    CompletableFuture<Void> follower = firsts.ended(CLIENT, Origin.NONE);
    assertThat(firsts.followers(CLIENT)).isEqualTo(1);
    follower.get(30, TimeUnit.SECONDS);
    assertThat(firsts.followers(CLIENT)).isZero();
  }
}
