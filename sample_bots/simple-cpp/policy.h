#pragma once

#include "player.pb.h"

// What to do at a turn. This is the place for your ideas; main.cpp speaks with the arena.
arena::v1::Decision decide(const arena::v1::Turn& turn);
