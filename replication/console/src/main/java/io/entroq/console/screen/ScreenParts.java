package io.entroq.console.screen;

import io.entroq.console.call.AdminCalls;
import io.entroq.console.call.ServiceCalls;

/**
 * What pages are made from.
 *
 * @param description of the queue and its durability, for people
 */
public record ScreenParts(ServiceCalls calls, AdminCalls admin, String description) {}
