package io.entroq.console.screen;

import io.entroq.console.call.AdminCalls;
import io.entroq.console.call.ServiceCalls;
import io.entroq.console.value.ValueMask;
import java.util.concurrent.Executor;

/**
 * What pages are made from.
 *
 * @param rendering where pages are rendered
 * @param mask what viewers do not see of values
 * @param description of the queue and its durability, for people
 */
public record ScreenParts(
    ServiceCalls calls, AdminCalls admin, Executor rendering, ValueMask mask, String description) {}
